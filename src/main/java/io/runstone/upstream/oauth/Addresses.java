package io.runstone.upstream.oauth;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses tokens and consent may go to: {@code https}, or loopback if what names them is
 * there itself, so that no server on the network sends us to this machine's own services.
 * Immutable.
 *
 * @param loopback whether loopback addresses are taken
 */
record Addresses(boolean loopback) {
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final int MAX_CHARS = 2048;

  /** Those that something at an address may name. */
  static Addresses namedBy(URI address) {
    return new Addresses(isLocal(address));
  }

  /**
   * An address that was declared or found.
   *
   * @throws OAuthException if it is none that is taken
   */
  URI check(@Nullable Object value, String what) {
    try {
      String text = String.valueOf(value);
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean local = isLocal(uri);
      if (uri.getHost() != null
          && text.length() <= MAX_CHARS
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && (local ? loopback && scheme.startsWith("http") : scheme.equals("https"))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw OAuthException.unusable("its " + what + " is no address");
    }
    throw OAuthException.unusable("its " + what + " is not https");
  }

  /** The same for what may be left out. */
  Optional<URI> checkOptional(@Nullable Object value, String what) {
    return value == null ? Optional.empty() : Optional.of(check(value, what));
  }

  private static boolean isLocal(URI uri) {
    return LOCAL.contains(String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT));
  }
}
