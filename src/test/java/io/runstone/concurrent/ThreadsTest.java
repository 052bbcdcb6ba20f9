package io.runstone.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ThreadsTest {
  private final Threads threads = new Threads(Thread::new);

  @Test
  void closingEndsAnIdleExecutorAndItsThread() throws Exception {
    ThreadPoolExecutor pool = threads.elastic("idle", 1);
    Thread worker = CompletableFuture.supplyAsync(Thread::currentThread, pool).get();

    threads.close();

    assertThat(pool.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
    worker.join();
  }

  @Test
  void closingWaitsForAThreadThatIsAboutToEnd() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<String> last = new CompletableFuture<>();
    threads
        .named("ending")
        .newThread(
            () -> {
              started.countDown();
              try {
                end.await();
                last.complete("done");
              } catch (InterruptedException e) {
                last.complete("interrupted");
              }
            })
        .start();
    started.await();
    threads.timer("closer").schedule(end::countDown, 100, TimeUnit.MILLISECONDS);
    end.await();

    threads.close();

    assertThat(last).isCompletedWithValue("done");
  }

  @Test
  void closingInterruptsAThreadThatStays() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<String> last = new CompletableFuture<>();
    threads
        .named("staying")
        .newThread(
            () -> {
              started.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                last.complete("interrupted");
              }
            })
        .start();
    started.await();

    threads.close();

    assertThat(last).isCompletedWithValue("interrupted");
  }

  @Test
  void threadsThatStartProcessesDoNotPassOnTheApplication() throws Exception {
    CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
    Thread thread =
        threads
            .processStarters("starter")
            .newThread(() -> seen.complete(Thread.currentThread().getContextClassLoader()));
    thread.setContextClassLoader(new ClassLoader(null) {});
    thread.start();

    assertThat(seen.get()).isSameAs(ClassLoader.getSystemClassLoader());
  }
}
