package io.runstone.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.testing.Http;
import io.runstone.testing.McpClient;
import io.runstone.testing.ModernClient;
import jakarta.json.JsonObject;

/**
 * What one of two users does at the same time as the other, over every surface: each has a session,
 * a file and outputs of the same names, with his own mark in all of them. Not thread-safe.
 */
final class TwoUsersLoad {
  private final Http http;
  private final String own;
  private final String others;
  private final McpClient legacy;
  private final ModernClient modern;

  TwoUsersLoad(Http http, String own, String others) throws Exception {
    this.http = http;
    this.own = own;
    this.others = others;
    this.legacy = McpClient.open(http);
    this.modern = new ModernClient(http);
  }

  void prepare() throws Exception {
    http.start("same");
    http.execute("same", "mark = '%s'; open('same.txt', 'w').write(mark)".formatted(own));
    legacy.execute("", "mark = '%s'".formatted(own));
  }

  /** Five requests, each of which has to show the own mark and nothing of the other. */
  void round(int number) throws Exception {
    String code = "print(mark, %d)".formatted(number);
    check(http.send("POST", "/execute", Http.order("same", code)).text());
    check(legacy.execute("", code).toString());
    check(modern.call("tools/call", ModernClient.execution("same", code)).toString());
    check(modern.call("resources/read", uri("runstone://files/same.txt")).toString());
    JsonObject rich =
        legacy.execute(
            "same",
            "class R:\n def _repr_html_(self): return '<b>' + mark + '</b>'\n"
                + " def __repr__(self): return mark\nR()");
    JsonObject link =
        rich.getJsonObject("structuredContent").getJsonArray("outputs").getJsonObject(0);
    check(http.send("GET", link.getString("url"), "").text());
    assertHidden(http.send("GET", "/v1/sessions/session", "").text());
    assertHidden(legacy.call("resources/list", JsonObject.EMPTY_JSON_OBJECT).toString());
  }

  private static JsonObject uri(String uri) {
    return McpClient.args("uri", uri);
  }

  private void check(String answer) {
    assertThat(answer).contains(own);
    assertHidden(answer);
  }

  private void assertHidden(String answer) {
    assertThat(answer).doesNotContain(others);
  }

  /** The link to an output of this user, and the id of his MCP session. */
  String outputPath() throws Exception {
    JsonObject result = http.execute("same", "class R:\n def _repr_html_(self): return mark\nR()");
    return result.getJsonArray("links").getJsonObject(0).getString("url");
  }

  void end() throws Exception {
    legacy.delete();
    http.stopAll();
  }
}
