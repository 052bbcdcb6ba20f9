package io.runstone.security.audit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.concurrent.Threads;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FileAuditLogTest {
  private static final int ROOM = 4;

  private final Store store = new Store();
  private final Threads threads = new Threads(Thread::new);
  private final FileAuditLog log = new FileAuditLog(store, ROOM, threads, Clock.systemUTC());

  /** Lines in memory; the disk can be slow or broken. */
  private static final class Store implements LineStore {
    final List<String> lines = new CopyOnWriteArrayList<>();
    final BlockingQueue<Boolean> attempts = new LinkedBlockingQueue<>();
    final Semaphore mayWrite = new Semaphore(1000);
    volatile boolean broken;
    volatile boolean closed;

    @Override
    public Optional<String> open() {
      return Optional.empty();
    }

    @Override
    public void write(List<AuditEvent> events) throws IOException {
      mayWrite.acquireUninterruptibly();
      attempts.add(broken);
      if (broken) {
        throw new IOException("No space left on device");
      }
      events.forEach(event -> lines.add(event.subject().session() + event.result().outcome()));
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @AfterEach
  void close() {
    store.broken = false;
    store.mayWrite.release(1000);
    log.close();
    threads.close();
  }

  private static void get(CompletionStage<Void> stage) throws Exception {
    stage.toCompletableFuture().get(10, SECONDS);
  }

  private void breakDisk() throws Exception {
    store.broken = true;
    assertThatThrownBy(() -> get(log.recordBefore(AuditEvents.event("refused-"))))
        .hasCauseInstanceOf(IOException.class);
  }

  private void mendDisk() throws Exception {
    store.broken = false;
    store.attempts.clear();
    while (Boolean.TRUE.equals(store.attempts.poll(10, SECONDS))) {
      // until it was tried with success
    }
  }

  @Test
  void aLineIsWrittenBeforeItIsSaidToBe() throws Exception {
    get(log.recordBefore(AuditEvents.event("a-")));
    assertThat(store.lines).containsExactly("opened", "a-accepted");
    assertThat(log.state()).isEqualTo(AuditState.OK);
  }

  @Test
  void whileTheDiskFailsNothingMayBeDoneAndWhatHappenedIsKept() throws Exception {
    get(log.recordBefore(AuditEvents.event("a-")));
    breakDisk();
    assertThat(log.state()).isEqualTo(AuditState.FAILING);
    log.record(AuditEvents.event("b-"));
    log.recordEnd(AuditEvents.event("c-"));
    assertThatThrownBy(() -> get(log.recordBefore(AuditEvents.event("no-"))))
        .hasCauseInstanceOf(IOException.class);
    mendDisk();
    get(retried("d-"));
    assertThat(store.lines)
        .containsExactly(
            "opened", "a-accepted", "failed", "b-accepted", "c-accepted", "d-accepted");
    assertThat(log.state()).isEqualTo(AuditState.OK);
  }

  /** The disk works again a moment before the log says so. */
  private CompletionStage<Void> retried(String session) throws Exception {
    long deadline = System.nanoTime() + SECONDS.toNanos(10);
    while (log.state() == AuditState.FAILING && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    return log.recordBefore(AuditEvents.event(session));
  }

  @Test
  void whatFindsNoRoomIsRefusedOrCounted() throws Exception {
    get(log.recordBefore(AuditEvents.event("a-")));
    store.mayWrite.drainPermits();
    CompletionStage<Void> stuck = log.recordBefore(AuditEvents.event("b-"));
    while (store.mayWrite.getQueueLength() == 0) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < ROOM; i++) {
      log.record(AuditEvents.event(i + "-"));
    }
    log.record(AuditEvents.event("lost-"));
    assertThatThrownBy(() -> get(log.recordBefore(AuditEvents.event("no-"))))
        .hasCauseInstanceOf(IOException.class);
    log.recordEnd(AuditEvents.event("end-"));
    assertThat(stuck.toCompletableFuture()).isNotDone();
    store.mayWrite.release(1000);
    get(stuck);
    log.close();
    assertThat(store.lines)
        .containsExactly(
            "opened",
            "a-accepted",
            "b-accepted",
            "lost",
            "0-accepted",
            "1-accepted",
            "2-accepted",
            "3-accepted",
            "end-accepted",
            "closed");
  }

  @Test
  void closingWritesWhatIsLeftAndTakesNothingMore() throws Exception {
    log.record(AuditEvents.event("a-"));
    log.close();
    log.close();
    assertThat(store.lines).containsExactly("opened", "a-accepted", "closed");
    assertThat(store.closed).isTrue();
    log.record(AuditEvents.event("b-"));
    assertThatThrownBy(() -> get(log.recordBefore(AuditEvents.event("c-"))))
        .hasCauseInstanceOf(IOException.class);
    assertThat(store.lines).hasSize(3);
    assertThat(log.state()).isEqualTo(AuditState.FAILING);
  }

  @Test
  void closingDoesNotWaitForADiskThatFails() throws Exception {
    get(log.recordBefore(AuditEvents.event("a-")));
    breakDisk();
    log.record(AuditEvents.event("b-"));
    log.close();
    assertThat(store.lines).containsExactly("opened", "a-accepted");
    assertThat(store.closed).isTrue();
  }
}
