package io.runstone.mcp.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStoreTest {
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final EventStore store = new EventStore(1000);
  private final EventStream one = stream(1);
  private final EventStream two = stream(2);

  private EventStream stream(long id) {
    return new EventStream(id, store, EventStream.Resumption.NONE, timer, () -> {});
  }

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  @Test
  void theEventsOfAStreamAreReplayedInOrderAfterANumber() {
    store.add(one, 1, "a");
    store.add(two, 1, "x");
    store.add(one, 2, "b");
    store.add(one, 3, "c");
    assertThat(store.after(one, 1)).containsExactly("b", "c");
    assertThat(store.after(one, 3)).isEmpty();
    assertThat(store.after(two, 0)).containsExactly("x");
  }

  @Test
  void theOldestOfAllStreamsGoesFirst() {
    store.add(one, 1, "a".repeat(200));
    store.add(two, 1, "b".repeat(200));
    store.add(one, 2, "c".repeat(200));
    assertThat(store.after(one, 0)).containsExactly("c".repeat(200));
    assertThat(store.after(two, 0)).hasSize(1);
    store.add(one, 3, "d".repeat(5000));
    assertThat(store.after(one, 0)).isEmpty();
    assertThat(store.size()).isZero();
  }

  @Test
  void whatIsForgottenTakesNoRoom() {
    store.add(one, 1, "a".repeat(300));
    store.add(two, 1, "b".repeat(100));
    store.forget(one);
    assertThat(store.after(one, 0)).isEmpty();
    assertThat(store.size()).isEqualTo(300);
    store.forget(two);
    assertThat(store.size()).isZero();
  }
}
