package io.runstone.upstream;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Why something asked of an upstream server was not done, or is not known to have been. The message
 * is for the caller: it tells the cure, and never holds a token.
 */
public final class UpstreamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of trouble it is. */
  public enum Kind {
    /** There is no such server or tool, or it may not be used by this caller. */
    UNKNOWN,
    /** The caller lacks the scope, or the tool is not allowed. */
    FORBIDDEN,
    /** The user has to consent; the link says where. */
    CONSENT_REQUIRED,
    /** The user has to consent to more; the link says where. */
    SCOPE_REQUIRED,
    /** The server refuses what is wrong with the call, with a JSON-RPC error. */
    REJECTED,
    /** The server can't be reached, or what it says is no MCP. */
    UNAVAILABLE,
    /** The server forgot the session; the next call gets another. */
    SESSION_LOST,
    /** The answer did not come in time. */
    TIMEOUT,
    /** The answer is larger than the server takes. */
    TOO_LARGE,
    /** A bound on calls or sessions is reached. */
    LIMIT,
    /** The caller does not want it any more. */
    CANCELLED;

    /** The word on the wire. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;
  private final boolean transport;
  private final transient Optional<URI> link;

  private UpstreamException(Kind kind, String message, boolean transport, Optional<URI> link) {
    super(message);
    this.kind = kind;
    this.transport = transport;
    this.link = link;
  }

  /** Trouble of a kind that says nothing of the way to the server. */
  public UpstreamException(Kind kind, String message) {
    this(kind, message, false, Optional.empty());
  }

  /** The server can't be reached, so that it makes sense to leave it alone for a while. */
  public static UpstreamException transport(String message) {
    return new UpstreamException(Kind.UNAVAILABLE, message, true, Optional.empty());
  }

  /** The user has to do something in a browser. */
  public static UpstreamException consent(Kind kind, String message, URI link) {
    return new UpstreamException(kind, message, false, Optional.of(link));
  }

  /** What kind of trouble it is. */
  public Kind kind() {
    return kind;
  }

  /** Whether it is the way to the server that failed; only this counts for the breaker. */
  public boolean isTransport() {
    return transport;
  }

  /** Where the user can put it right. */
  public Optional<URI> link() {
    return link;
  }
}
