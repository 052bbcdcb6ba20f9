package io.runstone.upstream.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SseParserTest {
  private final List<String> events = new ArrayList<>();
  private final SseParser parser =
      new SseParser(100, data -> events.add(new String(data, StandardCharsets.UTF_8)));

  private boolean accept(String text) {
    return parser.accept(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void takesEveryLineEnd() {
    accept("data: a\n\ndata: b\r\rdata: c\r\n\r\ndata:d\n\n");

    assertThat(events).containsExactly("a", "b", "c", "d");
  }

  @Test
  void takesPiecesOfAnySize() {
    String text = "\uFEFFid: 7\r\nevent: message\r\ndata: é\r\ndata: \r\ndata:  b\r\n\r\n";
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      parser.accept(ByteBuffer.wrap(new byte[] {one}));
    }

    assertThat(events).containsExactly("é\n\n b");
    assertThat(parser.lastId()).isEqualTo("7");
  }

  @Test
  void ignoresCommentsUnknownFieldsAndWhatIsNotWhole() {
    accept(": keep-alive\n\nnonsense\nother: x\n\ndata: a\n\ndata: half");

    assertThat(events).containsExactly("a");
  }

  @Test
  void tellsAnEventThatOnlyHasAnId() {
    accept("id: e-1\nretry: 500\ndata:\n\n");

    assertThat(events).containsExactly("");
    assertThat(parser.lastId()).isEqualTo("e-1");
    assertThat(parser.retry()).contains(Duration.ofMillis(500));
  }

  @Test
  void takesNoIdThatIsNoHeader() {
    accept("id: a\rdata: x\n\nid: \u0001\ndata: y\n\n");
    assertThat(parser.lastId()).isEmpty();

    accept("retry: 5x\nretry: -1\nretry: 99999999999\ndata: z\n\n");
    assertThat(parser.retry()).isEmpty();
  }

  @Test
  void boundsAnEventAndNotTheStream() {
    for (int i = 0; i < 100; i++) {
      assertThat(accept("data: " + "x".repeat(80) + "\n\n")).isTrue();
    }
    assertThat(events).hasSize(100);

    assertThat(accept("data: " + "x".repeat(60) + "\ndata: " + "x".repeat(60))).isFalse();
  }
}
