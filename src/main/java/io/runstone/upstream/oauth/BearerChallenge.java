package io.runstone.upstream.oauth;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a server says in {@code WWW-Authenticate} (RFC 6750, section 3; RFC 9728, section 5.1).
 * Immutable.
 *
 * @param scopes wanted, at most 50
 * @param metadata where the server's metadata is
 */
public record BearerChallenge(String error, Set<String> scopes, Optional<String> metadata) {
  private static final int MAX_CHARS = 8192;
  private static final int MAX_SCOPES = 50;
  private static final int MAX_SCOPE_CHARS = 200;
  private static final Pattern FIELD =
      Pattern.compile("([A-Za-z_]+)\\s*=\\s*(?:\"([^\"]*)\"|([^\\s,\"]+))");

  public BearerChallenge {
    scopes = Collections.unmodifiableSet(new LinkedHashSet<>(scopes)); // in the order that was said
  }

  /** Reads it; what is none has no fields. */
  public static BearerChallenge of(String header) {
    Map<String, String> fields = new HashMap<>();
    int begin = header.toLowerCase(Locale.ROOT).indexOf("bearer");
    if (begin >= 0 && header.length() <= MAX_CHARS) {
      Matcher matcher = FIELD.matcher(header.substring(begin));
      while (matcher.find()) {
        String value = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
        fields.putIfAbsent(matcher.group(1).toLowerCase(Locale.ROOT), value);
      }
    }
    return new BearerChallenge(
        fields.getOrDefault("error", ""),
        usable(TokenAnswer.words(fields.getOrDefault("scope", ""))),
        Optional.ofNullable(fields.get("resource_metadata")));
  }

  /** Those that can be scopes at all: RFC 6749, section 3.3. */
  static Set<String> usable(Set<String> scopes) {
    return scopes.stream()
        .filter(scope -> scope.length() <= MAX_SCOPE_CHARS)
        .filter(scope -> scope.chars().allMatch(c -> c > ' ' && c <= '~' && c != '"' && c != '\\'))
        .limit(MAX_SCOPES)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
