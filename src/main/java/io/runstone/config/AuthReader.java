package io.runstone.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads how users log in. Pure. */
final class AuthReader extends ConfigValues {
  private static final String ISSUERS = "runstone.auth.jwt.issuers";
  private static final String KEYS = "runstone.auth.jwt.jwks-uris";
  private static final String RESOURCE = "runstone.auth.jwt.resource";
  private static final String AUDIENCES = "runstone.auth.jwt.audiences";
  private static final String ALGORITHMS = "runstone.auth.jwt.algorithms";
  private static final String LOGIN_SECRET = "runstone.auth.jwt.login-client-secret-file";
  private static final String REFRESH = "runstone.auth.jwt.keys-refresh";

  /** Those that are verified with a public key: whoever can check a token can't make one. */
  private static final List<String> ASYMMETRIC =
      List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  AuthReader(UnaryOperator<String> values) {
    super(values);
  }

  AuthSettings read() {
    return switch (oneOf("runstone.auth", "none", "api-key", "jwt", "container")) {
      case "api-key" ->
          new AuthSettings.ApiKey(
              path("runstone.auth.api-keys-file", required("runstone.auth.api-keys-file")));
      case "jwt" -> jwt();
      case "container" -> new AuthSettings.Container();
      default ->
          new AuthSettings.None(
              oneOf("runstone.auth.allow-anonymous-from-the-network", "false", "true")
                  .equals("true"));
    };
  }

  private AuthSettings.Jwt jwt() {
    URI resource = resource();
    return new AuthSettings.Jwt(
        issuers(),
        resource,
        audiences(resource),
        algorithms(),
        duration("runstone.auth.jwt.clock-skew", Duration.ofSeconds(30)),
        text("runstone.auth.jwt.user-claim").orElse("sub"),
        keyTerms(),
        loginClient());
  }

  private Optional<AuthSettings.LoginClient> loginClient() {
    return text("runstone.auth.jwt.login-client-id")
        .map(
            id ->
                new AuthSettings.LoginClient(
                    id, text(LOGIN_SECRET).map(value -> path(LOGIN_SECRET, value))));
  }

  private AuthSettings.KeyTerms keyTerms() {
    Duration refresh = duration(REFRESH, Duration.ofMinutes(15));
    Duration lifetime = duration("runstone.auth.jwt.keys-lifetime", Duration.ofHours(24));
    if (refresh.compareTo(lifetime) > 0) {
      throw bad(REFRESH, refresh.toString(), "at most keys-lifetime, " + lifetime);
    }
    return new AuthSettings.KeyTerms(
        refresh, lifetime, duration("runstone.auth.jwt.keys-cooldown", Duration.ofSeconds(30)));
  }

  private List<AuthSettings.Issuer> issuers() {
    List<String> names = list(required(ISSUERS));
    List<String> keys = text(KEYS).map(AuthReader::list).orElse(List.of());
    if (!keys.isEmpty() && keys.size() != names.size()) {
      throw bad(KEYS, String.join(",", keys), "as many as there are in " + ISSUERS);
    } else if (Set.copyOf(names).size() != names.size()) {
      throw bad(ISSUERS, String.join(",", names), "each issuer once");
    }
    List<AuthSettings.Issuer> issuers = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      secure(ISSUERS, names.get(i));
      issuers.add(
          new AuthSettings.Issuer(
              names.get(i),
              keys.isEmpty() ? Optional.empty() : Optional.of(secure(KEYS, keys.get(i)))));
    }
    return issuers;
  }

  private URI resource() {
    String value =
        text(RESOURCE)
            .or(() -> text("runstone.base-url"))
            .orElseThrow(
                () -> bad(RESOURCE, "", "where clients reach this server, or runstone.base-url"));
    return secure(RESOURCE, value.replaceAll("/+$", ""));
  }

  /** A token for {@code /mcp} and one for the whole server are both meant for this server. */
  private Set<String> audiences(URI resource) {
    return text(AUDIENCES)
        .map(value -> Set.copyOf(list(value)))
        .orElse(Set.of(resource.toString(), resource + "/", resource + "/mcp"));
  }

  private Set<String> algorithms() {
    List<String> names = text(ALGORITHMS).map(AuthReader::list).orElse(ASYMMETRIC);
    for (String name : names) {
      if (!ASYMMETRIC.contains(name)) {
        throw bad(ALGORITHMS, name, "some of " + String.join(", ", ASYMMETRIC));
      }
    }
    return new LinkedHashSet<>(names);
  }

  private String required(String key) {
    return text(key).orElseThrow(() -> bad(key, "", "a value, for runstone.auth needs one"));
  }

  /** What goes over the network decides who gets in, so it has to be protected there. */
  private static URI secure(String key, String value) {
    try {
      URI uri = new URI(value);
      String host = uri.getHost();
      boolean local = Set.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(host));
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (host != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && (scheme.equals("https") || (local && scheme.equals("http")))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw bad(key, value, "an https URL", e);
    }
    throw bad(key, value, "an https URL; http only on loopback");
  }
}
