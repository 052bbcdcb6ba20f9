package io.runstone.upstream.oauth;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a token endpoint gave: RFC 6749, section 5.1. Immutable.
 *
 * @param lifetime of the access token
 * @param scopes what was granted; what was asked for if empty
 */
public record TokenAnswer(
    String access,
    Optional<String> refresh,
    Optional<Duration> lifetime,
    Optional<Set<String>> scopes,
    Optional<String> idToken) {
  private static final int MAX_CHARS = 64 * 1024;
  private static final long MAX_SECONDS = 100L * 365 * 24 * 3600;

  /** Reads it; the type has to be one that is sent as {@code Bearer}. */
  static TokenAnswer of(Fields fields) {
    String type = fields.text("token_type").orElse("Bearer");
    if (!type.equalsIgnoreCase("Bearer")) {
      throw OAuthException.unusable("its token is not of the type Bearer");
    }
    String access =
        fields
            .text("access_token")
            .filter(TokenAnswer::isSendable)
            .orElseThrow(() -> OAuthException.unusable("its answer has no usable token"));
    return new TokenAnswer(
        access,
        fields.text("refresh_token").filter(token -> token.length() <= MAX_CHARS),
        fields
            .number("expires_in")
            .map(seconds -> Duration.ofSeconds(Math.max(0, Math.min(seconds, MAX_SECONDS)))),
        fields.text("scope").map(TokenAnswer::words),
        fields.text("id_token"));
  }

  /** The words of a text, as OAuth writes scopes. */
  static Set<String> words(String text) {
    Set<String> words = new LinkedHashSet<>(Arrays.asList(text.strip().split(" +")));
    words.remove("");
    return words;
  }

  private static boolean isSendable(String token) {
    return token.length() <= MAX_CHARS && token.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  /** Leaves the tokens out. */
  @Override
  public String toString() {
    return "TokenAnswer[" + lifetime + "]";
  }
}
