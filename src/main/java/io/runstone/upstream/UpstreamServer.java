package io.runstone.upstream;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An MCP server as the administrator declared it. Immutable; another declaration is another value.
 *
 * @param url its MCP endpoint; {@code https}, or a loopback address
 * @param title for people; the name if empty
 * @param description what it is for, for agents; may be empty
 * @param login how users are known there
 * @param stateless whether it was declared to remember nothing of a session, so that one session
 *     may serve everything of one user
 * @param tools which of its tools may be used
 * @param timeout how long a call may take that names no time
 * @param trust a PEM file of the certificates to trust; the JDK's if empty
 */
public record UpstreamServer(
    ServerName name,
    URI url,
    String title,
    String description,
    Login login,
    boolean stateless,
    ToolFilter tools,
    Duration timeout,
    Optional<Path> trust) {

  /** How requests to it prove whose they are. */
  public sealed interface Login {
    /** The word in the configuration. */
    String label();

    /** They don't. */
    record None() implements Login {
      @Override
      public String label() {
        return "none";
      }
    }

    /**
     * The same secret for everybody.
     *
     * @param secretFile its first line; read again when it changes
     */
    record Static(Path secretFile) implements Login {
      @Override
      public String label() {
        return "static";
      }
    }

    /**
     * A token for the server, given for the caller's own (RFC 8693).
     *
     * @param tokenEndpoint of the authorization server
     * @param audience the server, as the authorization server knows it
     * @param clientId who asks
     * @param clientSecretFile its secret; none for a public client
     */
    record Exchange(
        URI tokenEndpoint,
        String audience,
        String clientId,
        Optional<Path> clientSecretFile,
        List<String> scopes)
        implements Login {
      public Exchange {
        scopes = List.copyOf(scopes);
      }

      @Override
      public String label() {
        return "exchange";
      }
    }

    /**
     * A token that the user consented to in a browser.
     *
     * @param issuer the authorization server; found by RFC 9728 if empty
     * @param clientId who asks; registered by RFC 7591 if empty
     * @param clientSecretFile its secret; none for a public client
     * @param scopes asked for at first; what the server's metadata says if empty
     */
    record OAuth(
        Optional<URI> issuer,
        Optional<String> clientId,
        Optional<Path> clientSecretFile,
        List<String> scopes)
        implements Login {
      public OAuth {
        scopes = List.copyOf(scopes);
      }

      @Override
      public String label() {
        return "oauth";
      }
    }
  }

  /**
   * Which tools may be used, by their names as the server has them.
   *
   * @param allow only these; all when empty
   * @param deny not these, whatever else says
   */
  public record ToolFilter(Set<String> allow, Set<String> deny) {
    /** Every tool. */
    public static final ToolFilter ALL = new ToolFilter(Set.of(), Set.of());

    public ToolFilter {
      allow = Set.copyOf(allow);
      deny = Set.copyOf(deny);
    }

    /** Whether a tool may be used. */
    public boolean permits(String tool) {
      return !deny.contains(tool) && (allow.isEmpty() || allow.contains(tool));
    }
  }
}
