package io.runstone.mcp.modern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.modelcontextprotocol.modern.server.McpHeaders;
import io.runstone.mcp.wire.RequestHead;
import io.runstone.mcp.wire.RpcException;
import io.runstone.mcp.wire.RpcMessage;
import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModernHeadersTest {
  private static final String VERSION = "2026-07-28";

  private static RpcMessage call(String version) {
    return new RpcMessage(
        RpcMessage.Kind.REQUEST,
        Map.of(
            "method",
            "tools/call",
            "params",
            Map.of("name", "tool", "_meta", Map.of(ModernHeaders.VERSION_KEY, version))));
  }

  private static RequestHead head(List<String> versions, List<String> methods, List<String> names) {
    McpHeaders.Builder mirrored = McpHeaders.builder();
    names.forEach(name -> mirrored.header("Mcp-Name", name));
    return new RequestHead(
        Requester.of(new UserId("anna")),
        Optional.empty(),
        Optional.empty(),
        versions,
        methods,
        names,
        mirrored.build());
  }

  private static int code(RequestHead head, String version) {
    RpcException refused =
        catchThrowableOfType(RpcException.class, () -> ModernHeaders.check(head, call(version)));
    assertThat(refused.status()).isEqualTo(400);
    return refused.code();
  }

  @Test
  void headersThatSayWhatTheBodySaysAreFine() {
    RequestHead head = head(List.of(VERSION), List.of("tools/call"), List.of("tool"));
    assertThatCode(() -> ModernHeaders.check(head, call(VERSION))).doesNotThrowAnyException();
  }

  @Test
  void missingRepeatedAndOtherValuesAreMismatches() {
    List<String> version = List.of(VERSION);
    List<String> method = List.of("tools/call");
    List<String> name = List.of("tool");
    assertThat(code(head(List.of(), method, name), VERSION)).isEqualTo(-32020);
    assertThat(code(head(List.of("2025-11-25"), method, name), VERSION)).isEqualTo(-32020);
    assertThat(code(head(List.of(VERSION, VERSION), method, name), VERSION)).isEqualTo(-32020);
    assertThat(code(head(version, List.of(), name), VERSION)).isEqualTo(-32020);
    assertThat(code(head(version, List.of("TOOLS/CALL"), name), VERSION)).isEqualTo(-32020);
    assertThat(code(head(version, method, List.of()), VERSION)).isEqualTo(-32020);
    assertThat(code(head(version, method, List.of("other")), VERSION)).isEqualTo(-32020);
    assertThat(code(head(version, method, List.of("tool", "tool")), VERSION)).isEqualTo(-32020);
  }

  @Test
  void aVersionThatIsNotSupportedComesBeforeTheOtherHeaders() {
    assertThat(code(head(List.of("2099-01-01"), List.of(), List.of()), "2099-01-01"))
        .isEqualTo(-32022);
  }
}
