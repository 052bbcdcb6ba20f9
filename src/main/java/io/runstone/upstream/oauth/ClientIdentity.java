package io.runstone.upstream.oauth;

import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this server is to an authorization server, and how it proves it (RFC 6749, section 2.3).
 * Immutable.
 *
 * @param secret none for a public client
 * @param inBody whether the secret goes into the body, for servers that take it only there
 */
public record ClientIdentity(String id, Optional<String> secret, boolean inBody) {

  /** One whose secret is sent as an authorization server takes it; in the header if it can. */
  public static ClientIdentity of(String id, Optional<String> secret, List<String> methods) {
    return new ClientIdentity(
        id,
        secret,
        !methods.isEmpty()
            && !methods.contains("client_secret_basic")
            && methods.contains("client_secret_post"));
  }

  /** Adds the proof to a request's header or body. */
  void prove(HttpRequest.Builder request, Map<String, String> form) {
    if (secret.isEmpty() || inBody) {
      form.put("client_id", id);
      secret.ifPresent(value -> form.put("client_secret", value));
    } else {
      String pair = encoded(id) + ":" + encoded(secret.orElseThrow());
      request.header(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "ClientIdentity[" + id + "]";
  }
}
