package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.security.login.FakeExchange;
import io.runstone.upstream.oauth.ClientDocument;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** What authorization servers fetch. */
class ClientDocumentServletTest {
  @Test
  void saysWhatTheDraftOfClientIdMetadataDocumentsDemands() throws Exception {
    String base = "https://runstone.example/app";
    ClientDocument document = new ClientDocument(base, URI.create(base + "/connections/callback"));
    FakeExchange exchange = new FakeExchange(ClientDocument.PATH);
    new ClientDocumentServlet(document).doGet(exchange.request(), exchange.response());

    assertThat(exchange.header("Content-Type")).isEqualTo("application/json");
    assertThat(exchange.header("Cache-Control")).contains("max-age");
    JsonObject json = Json.createReader(new StringReader(exchange.text())).readObject();
    assertThat(json.getString("client_id")).isEqualTo(base + "/client-metadata.json");
    assertThat(json.getString("client_name")).isEqualTo("Runstone");
    assertThat(json.getJsonArray("redirect_uris"))
        .containsExactly(Json.createValue(base + "/connections/callback"));
    assertThat(json.getString("token_endpoint_auth_method")).isEqualTo("none");
    assertThat(json).doesNotContainKeys("client_secret", "client_secret_expires_at");
  }
}
