package io.runstone.mcp.python;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.ExecutionId;
import io.runstone.session.OutputLink;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShownTextTest {

  @Test
  void shortTextIsShownAsItIs() {
    assertThat(ShownText.cut("123456", 6)).isEqualTo("123456");
  }

  @Test
  void longTextLosesItsMiddleAndSaysSo() {
    assertThat(ShownText.cut("abcdefghijklmnop", 6))
        .isEqualTo("abcd\n... 10 characters are not shown; the links lead to the whole ...\nop");
  }

  @Test
  void noCharacterIsCutInTwo() {
    String cut = ShownText.cut("\uD83D\uDE00".repeat(50), 9);
    assertThat(cut.codePoints()).noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  @Test
  void everyLinkIsNamed() {
    OutputLink link = new OutputLink(new ExecutionId("e1"), 0, "image/png", "display_data", 5);
    assertThat(ShownText.links(List.of(link)))
        .isEqualTo(
            "\n[display_data, image/png, 5 bytes: runstone://executions/e1/outputs/0"
                + " or GET /v1/executions/e1/outputs/0]");
    assertThat(ShownText.links(List.of())).isEmpty();
  }
}
