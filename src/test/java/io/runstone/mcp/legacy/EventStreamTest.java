package io.runstone.mcp.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.http.FakeConnection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStreamTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final EventStore store = new EventStore(100_000);
  private final CountDownLatch lost = new CountDownLatch(1);
  private final FakeConnection first = new FakeConnection();
  private final FakeConnection second = new FakeConnection();

  private EventStream stream(boolean recorded, boolean primed, Duration window) {
    return new EventStream(
        7, store, new EventStream.Resumption(recorded, primed, window), timer, lost::countDown);
  }

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  @Test
  void aClientThatComesBackGetsWhatItMissedAndWhatFollows() {
    EventStream stream = stream(true, true, LONG);
    stream.open(first.stream());
    assertThat(first.text()).isEqualTo("id: 7-0\nretry: 200\ndata: \n\n");
    stream.send("1");
    first.breakOff();
    stream.send("2");
    stream.attach(second.stream(), 1);
    stream.send("3");
    stream.end();
    assertThat(second.text())
        .isEqualTo(
            """
            : keep-alive

            id: 7-2
            event: message
            data: 2

            id: 7-3
            event: message
            data: 3

            """);
    assertThat(second.completions()).isEqualTo(1);
    assertThat(lost.getCount()).isEqualTo(1);
  }

  @Test
  void afterItsEndTheRestIsReplayedAndTheConnectionEnds() {
    EventStream stream = stream(true, true, LONG);
    stream.open(first.stream());
    first.breakOff();
    stream.send("answer");
    stream.end();
    assertThat(stream.goesOnAfter(0)).isTrue();
    stream.attach(second.stream(), 0);
    assertThat(second.text()).endsWith("data: answer\n\n");
    assertThat(second.completions()).isEqualTo(1);
    assertThat(stream.goesOnAfter(1)).isFalse();
  }

  @Test
  void aClientThatKnowsNoIdIsLostAtOnce() {
    EventStream stream = stream(true, false, LONG);
    stream.open(first.stream());
    first.breakOff();
    assertThat(lost.getCount()).isZero();
  }

  @Test
  void aClientThatKnowsAnIdIsLostWhenItsTimeIsOver() throws Exception {
    EventStream stream = stream(true, false, Duration.ofMillis(20));
    stream.open(first.stream());
    stream.send("1");
    first.breakOff();
    assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatIsAbandonedIsNotAnswered() {
    EventStream stream = stream(true, true, LONG);
    stream.open(first.stream());
    stream.abandon();
    stream.send("answer");
    assertThat(first.text()).doesNotContain("answer");
    assertThat(first.completions()).isEqualTo(1);
    assertThat(stream.goesOnAfter(0)).isFalse();
    assertThat(lost.getCount()).isEqualTo(1);
  }

  @Test
  void aPlainStreamTellsNoIds() {
    EventStream stream = stream(false, false, Duration.ZERO);
    stream.open(first.stream());
    stream.send("1");
    assertThat(first.text()).isEqualTo(": keep-alive\n\nevent: message\ndata: 1\n\n");
    assertThat(store.size()).isZero();
  }
}
