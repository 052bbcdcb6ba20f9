package io.runstone.security;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides which {@code Host} and {@code Origin} a request may carry, so that a web page can't reach
 * the server through its visitor's browser (DNS rebinding, MCP specification, "Security Warning" of
 * the Streamable HTTP transport). Immutable.
 */
public final class AllowedHosts {
  private static final Set<String> LOCAL =
      Set.of("localhost", "127.0.0.1", "[::1]", "coderunner.local");

  /** RFC 9110 section 7.2: host, optionally a port; user information is not allowed. */
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

  private final Set<String> extra;

  /**
   * Creates the check.
   *
   * @param extra lower-case host names allowed besides the local ones
   */
  public AllowedHosts(Set<String> extra) {
    this.extra = Set.copyOf(extra);
  }

  /** Says whether a {@code Host} header is allowed; a missing one is not. */
  public boolean allowsHost(Optional<String> header) {
    return header.map(String::strip).filter(this::allowsAuthority).isPresent();
  }

  /**
   * Says whether an {@code Origin} header is allowed; a missing one is, for only browsers send it.
   */
  public boolean allowsOrigin(Optional<String> header) {
    return header.isEmpty() || header.map(String::strip).filter(this::allowsOrigin).isPresent();
  }

  private boolean allowsOrigin(String origin) {
    try {
      URI uri = new URI(origin);
      String scheme = uri.getScheme();
      return uri.getRawAuthority() != null
          && ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))
          && allowsAuthority(uri.getRawAuthority());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private boolean allowsAuthority(String authority) {
    Matcher matcher = HOST.matcher(authority);
    if (!matcher.matches()) {
      return false;
    }
    String host = matcher.group(1).toLowerCase(Locale.ROOT);
    return LOCAL.contains(host) || extra.contains(host);
  }
}
