package io.runstone.upstream.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ParamHeadersTest {
  private static Optional<ParamHeaders> of(Map<String, Object> schema) {
    return ParamHeaders.of(Map.of("name", "tool", "inputSchema", schema));
  }

  private static Map<String, Object> header(String type, String name) {
    return Map.of("type", type, "x-mcp-header", name);
  }

  @Test
  void takesPrimitivesWhereverPropertiesLead() {
    Optional<ParamHeaders> headers =
        of(
            Map.of(
                "properties",
                Map.of(
                    "region",
                    header("string", "Region"),
                    "deep",
                    Map.of("properties", Map.of("dry", header("boolean", "Dry"))),
                    "count",
                    header("integer", "Count"),
                    "free",
                    Map.of("type", "string"))));

    assertThat(headers).isPresent();
    assertThat(
            headers
                .orElseThrow()
                .headers(
                    Map.of(
                        "region",
                        "=?base64?x?=",
                        "deep",
                        Map.of("dry", true),
                        "count",
                        42.0,
                        "free",
                        "x")))
        .isEqualTo(
            Map.of(
                "Mcp-Param-region", "=?base64?PT9iYXNlNjQ/eD89?=",
                "Mcp-Param-dry", "true",
                "Mcp-Param-count", "42"));
    assertThat(headers.orElseThrow().headers(Map.of("deep", 1))).isEmpty();
  }

  @Test
  void refusesWhatBreaksTheRules() {
    List<Map<String, Object>> bad =
        List.of(
            header("object", "Root"),
            Map.of("properties", Map.of("a", header("number", "A"))),
            Map.of("properties", Map.of("a", header("object", "A"))),
            Map.of("properties", Map.of("a", header("string", ""))),
            Map.of("properties", Map.of("a", header("string", "A B"))),
            Map.of("properties", Map.of("a", header("string", "A\r\nB: c"))),
            Map.of("properties", Map.of("a", Map.of("type", "string", "x-mcp-header", 1))),
            Map.of(
                "properties", Map.of("a", header("string", "Same"), "b", header("string", "same"))),
            Map.of("properties", Map.of("a", Map.of("items", header("string", "A")))),
            Map.of("oneOf", List.of(Map.of("properties", Map.of("a", header("string", "A"))))));

    assertThat(bad).allMatch(schema -> of(schema).isEmpty());
  }

  @Test
  void findsNoAnnotationInValues() {
    assertThat(
            of(
                Map.of(
                    "properties",
                    Map.of(
                        "x-mcp-header",
                        Map.of("type", "string", "default", header("string", "A"))))))
        .contains(ParamHeaders.NONE);
  }
}
