package io.runstone.upstream.oauth;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What this server says of itself to authorization servers that fetch it from the address that is
 * its client id: OAuth Client ID Metadata Document, as MCP has it since 2025-11-25. Immutable.
 *
 * @param base where others reach this server, by {@code https}, without a slash at the end
 * @param redirect where browsers are sent back to
 */
public record ClientDocument(String base, URI redirect) {
  /** Where it is, below the server's address. */
  public static final String PATH = "/client-metadata.json";

  /** Its address, which is the client id. */
  public String id() {
    return base + PATH;
  }

  /** The document. */
  public String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("client_id", id());
    fields.put("client_name", OAuthClients.NAME);
    fields.put("client_uri", base);
    fields.put("redirect_uris", List.of(redirect.toString()));
    fields.put("grant_types", OAuthClients.GRANT_TYPES);
    fields.put("response_types", List.of("code"));
    fields.put("token_endpoint_auth_method", "none");
    return Fields.write(fields);
  }
}
