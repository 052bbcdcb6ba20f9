package io.runstone.upstream.oauth;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * An authorization server as its metadata describes it (RFC 8414, OpenID Connect Discovery 1.0).
 * Immutable.
 *
 * @param name as answers have it in {@code iss}
 * @param authorization where the user consents
 * @param token where tokens are given
 * @param registration where clients register
 * @param revocation where tokens are given back
 * @param methods how clients may prove themselves; empty if it does not say
 * @param scopes that it knows; empty if it does not say
 * @param namesItself whether its answers have {@code iss} (RFC 9207)
 * @param takesDocuments whether it takes the address of a {@link ClientDocument} for a client id
 */
public record Issuer(
    String name,
    URI authorization,
    URI token,
    Optional<URI> registration,
    Optional<URI> revocation,
    List<String> methods,
    List<String> scopes,
    boolean namesItself,
    boolean takesDocuments) {
  private static final String PKCE = "code_challenge_methods_supported";

  public Issuer {
    methods = List.copyOf(methods);
    scopes = List.copyOf(scopes);
  }

  /**
   * Reads the metadata of an issuer.
   *
   * @param declared whether an administrator named it: one that was merely found has to say that it
   *     knows PKCE, as MCP wants it
   */
  static Issuer of(String name, Fields fields, boolean declared, Addresses allowed) {
    if (!name.equals(fields.value("issuer"))) {
      throw OAuthException.unusable("its metadata is that of another issuer");
    }
    boolean silent = declared && !fields.has(PKCE);
    if (!silent && !fields.texts(PKCE).contains("S256")) {
      throw OAuthException.unusable("it does not say that it knows PKCE with S256");
    }
    return new Issuer(
        name,
        allowed.check(fields.value("authorization_endpoint"), "authorization_endpoint"),
        allowed.check(fields.value("token_endpoint"), "token_endpoint"),
        allowed.checkOptional(fields.value("registration_endpoint"), "registration_endpoint"),
        allowed.checkOptional(fields.value("revocation_endpoint"), "revocation_endpoint"),
        fields.texts("token_endpoint_auth_methods_supported"),
        fields.texts("scopes_supported"),
        Boolean.TRUE.equals(fields.value("authorization_response_iss_parameter_supported")),
        Boolean.TRUE.equals(fields.value("client_id_metadata_document_supported")));
  }
}
