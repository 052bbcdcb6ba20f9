package io.runstone.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineSafeJsonMapperTest {

  @Test
  void escapesEveryCharacterThatPythonTakesForALineEnd() {
    assertThat(LineSafeJsonMapper.escapeLineEnds("{\"a\":\"1\u00852\u20283\u20294\"}"))
        .isEqualTo("{\"a\":\"1\\u00852\\u20283\\u20294\"}");
  }

  @Test
  void leavesOtherTextAlone() {
    String json = "{\"a\":\"\u00e9\u4e2d\uD83D\uDE00\\n\"}";
    assertThat(LineSafeJsonMapper.escapeLineEnds(json)).isSameAs(json);
  }
}
