package io.runstone.upstream.client;

import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;

/**
 * Says what went wrong in words that tell the cure, and that hold nothing which the server sent but
 * the message of a JSON-RPC error. Stateless.
 */
final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());
  private static final int MAX_MESSAGE = 500;

  private Failures() {}

  /** What a failure is for callers: the one that was meant for them, or a fault of ours. */
  static UpstreamException of(Throwable failure) {
    Throwable cause = unwrapped(failure);
    if (cause instanceof UpstreamException known) {
      return known;
    }
    // Not with its message, which may quote anything.
    LOG.log(
        System.Logger.Level.ERROR,
        "a request to an upstream server failed: {0}",
        cause.getClass().getName());
    return new UpstreamException(
        Kind.UNAVAILABLE,
        "the request failed within Runstone; its administrator has to look into it");
  }

  /** What a failure of the way to a server is for callers. */
  static UpstreamException ofExchange(Throwable failure) {
    Throwable cause = unwrapped(failure);
    if (cause instanceof UpstreamException known) {
      return known;
    } else if (has(cause, SSLException.class)) {
      return UpstreamException.transport(
          "no protected connection to the server: its certificate is not trusted, or it speaks no"
              + " TLS; the administrator has to check its url and its trust");
    } else if (has(cause, UnresolvedAddressException.class)) {
      return UpstreamException.transport(
          "the server's host name is not known; the administrator has to check its url");
    } else if (cause instanceof HttpConnectTimeoutException) {
      return UpstreamException.transport("the server can't be reached: nothing answers there");
    } else if (has(cause, ConnectException.class)) {
      return UpstreamException.transport(
          "the server can't be reached: it refuses the connection; try again when it runs");
    }
    return UpstreamException.transport(
        "the connection to the server broke before its answer was whole; whether it did what was"
            + " asked is not known");
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    for (Throwable next = cause.getCause();
        next != null
            && (cause instanceof CompletionException || cause instanceof ExecutionException);
        next = cause.getCause()) {
      cause = next;
    }
    return cause;
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (type.isInstance(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** The server answered with an HTTP status that is no answer to a message. */
  static UpstreamException status(int status, String retryAfter) {
    if (status == 429) {
      String when =
          retryAfter.matches("[0-9]{1,6}") ? "in " + retryAfter + " seconds" : "in a while";
      return new UpstreamException(
          Kind.LIMIT, "the server takes no more requests now; try again " + when);
    } else if (status == 502 || status == 503 || status == 504) {
      return UpstreamException.transport(
          "the server can't answer now (HTTP " + status + "); try again in a while");
    } else if (status >= 300 && status < 400) {
      return new UpstreamException(
          Kind.UNAVAILABLE,
          "the server sends its clients elsewhere (HTTP "
              + status
              + "), and credentials are not sent after that; the administrator has to declare the"
              + " final url");
    } else if (status >= 500) {
      return new UpstreamException(
          Kind.UNAVAILABLE,
          "the server failed (HTTP " + status + "); ask its administrator if that stays so");
    }
    return new UpstreamException(
        Kind.UNAVAILABLE,
        "the server does not take the request (HTTP "
            + status
            + "); the administrator has to check that its url is that of an MCP endpoint");
  }

  /** What came is no answer of an MCP server. */
  static UpstreamException garbage(String what) {
    return UpstreamException.transport(
        "what the server sent is no MCP: "
            + what
            + "; the administrator has to check that its url is that of an MCP endpoint");
  }

  /** The server refuses with a JSON-RPC error. */
  static UpstreamException rejected(long code, String message) {
    return new UpstreamException(
        Kind.REJECTED, "the server refuses (error " + code + "): " + clean(message, MAX_MESSAGE));
  }

  /** The answer is too large. */
  static UpstreamException tooLarge(int maxBytes) {
    return new UpstreamException(
        Kind.TOO_LARGE,
        "the answer is larger than " + maxBytes + " bytes; ask the tool for less, such as a page");
  }

  /** The answer did not come in time. */
  static UpstreamException late(Duration timeout) {
    return new UpstreamException(
        Kind.TIMEOUT,
        "no answer within "
            + timeout.toMillis() / 1000.0
            + " s; ask for less, or allow the call more time");
  }

  /** Nobody wants the answer any more. */
  static UpstreamException cancelled(String why) {
    return new UpstreamException(Kind.CANCELLED, "the call was cancelled" + clean(why, 200));
  }

  /** There is no such conversation any more. */
  static UpstreamException lost() {
    return new UpstreamException(
        Kind.SESSION_LOST, "the server has forgotten the session; call again for a new one");
  }

  /** The conversation was ended by this side. */
  static UpstreamException closed() {
    return new UpstreamException(
        Kind.SESSION_LOST, "the session with the server is closed; call again for a new one");
  }

  /** A text in bounds, without what could forge lines or control terminals. */
  static String clean(String text, int maxLength) {
    String bounded = text.length() > maxLength ? text.substring(0, maxLength) + "…" : text;
    StringBuilder clean = new StringBuilder(bounded.length());
    bounded.codePoints().map(c -> isUnfit(c) ? ' ' : c).forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isUnfit(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
