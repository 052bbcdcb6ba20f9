package io.runstone.mcp.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.http.FakeConnection;
import io.runstone.mcp.wire.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionStreamsTest {
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final EventStore store = new EventStore(100_000);
  private final List<Boolean> listening = new ArrayList<>();
  private final SessionStreams streams =
      new SessionStreams(
          new SessionStreams.Terms(store, Duration.ZERO, timer), false, listening::add);

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  private FakeConnection listen() throws RpcException {
    FakeConnection connection = new FakeConnection();
    streams.listener().open(connection.stream());
    return connection;
  }

  @Test
  void aMessageGoesToTheNewestListenerThatIsThere() throws Exception {
    streams.sendToListener("nobody hears this");
    FakeConnection older = listen();
    FakeConnection newer = listen();
    streams.sendToListener("1");
    newer.breakOff();
    streams.sendToListener("2");
    assertThat(newer.text()).contains("data: 1").doesNotContain("data: 2");
    assertThat(older.text()).contains("data: 2").doesNotContain("data: 1");
    assertThat(streams.isListenedTo()).isTrue();
    older.breakOff();
    assertThat(streams.isListenedTo()).isFalse();
    assertThat(listening).containsExactly(true, true, true, false);
  }

  @Test
  void thereIsABoundOnListeners() throws Exception {
    for (int i = 0; i < 16; i++) {
      listen();
    }
    assertThatThrownBy(this::listen).isInstanceOf(RpcException.class).hasMessageContaining("open");
  }

  @Test
  void onlyTheLastEndedStreamsAreKept() throws Exception {
    List<EventStream> ended = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      EventStream stream = streams.resumable(() -> {});
      stream.send("answer " + i);
      stream.end();
      ended.add(stream);
    }
    streams.resumption(ended.get(69).id() + "-0").accept(new FakeConnection().stream());
    for (String unknown : List.of(ended.get(0).id() + "-0", "999-0", "", "x", "1-1-1")) {
      assertThatThrownBy(() -> streams.resumption(unknown))
          .as(unknown)
          .isInstanceOf(RpcException.class);
    }
  }

  @Test
  void closingEndsTheListenersAndForgetsTheRest() throws Exception {
    FakeConnection listener = listen();
    EventStream stream = streams.resumable(() -> {});
    stream.send("x");
    streams.close();
    assertThat(listener.completions()).isEqualTo(1);
    assertThat(store.size()).isZero();
    assertThatThrownBy(streams::listener).isInstanceOf(RpcException.class);
  }
}
