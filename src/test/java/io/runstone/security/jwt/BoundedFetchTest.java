package io.runstone.security.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.concurrent.Threads;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class BoundedFetchTest {
  private final Threads threads = new Threads(Thread::new);
  private final BoundedFetch fetch = new BoundedFetch(threads.timer("timer"));

  @AfterEach
  void close() {
    threads.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://issuer.example/keys",
        "ftp://localhost/keys",
        "file:///etc/passwd",
        "jar:file:///x!/y",
        "http://localhost.example/",
        "/keys"
      })
  void fetchesByHttpsOrFromLoopbackOnly(String uri) {
    assertThatThrownBy(() -> fetch.json(URI.create(uri)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not https");
  }

  /** Every byte comes before the timeout of a read; the whole would take for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n{"})
  void endsAnAnswerThatNeverEnds(String beginning) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> dripping =
          CompletableFuture.runAsync(() -> drip(server, beginning, end));
      long start = System.nanoTime();
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/keys");
      assertThatThrownBy(() -> fetch.json(uri)).isInstanceOf(IOException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
      end.countDown();
      dripping.get(10, TimeUnit.SECONDS);
    }
  }

  private static void drip(ServerSocket server, String beginning, CountDownLatch end) {
    try (Socket client = server.accept();
        OutputStream out = client.getOutputStream()) {
      out.write(beginning.getBytes(StandardCharsets.US_ASCII));
      while (!end.await(100, TimeUnit.MILLISECONDS)) {
        out.write('x');
        out.flush();
      }
    } catch (IOException e) {
      // the client has had enough, which is what is tested
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anEmptyPortIsAFailureLikeAnyOther() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    assertThatThrownBy(() -> fetch.json(URI.create("http://127.0.0.1:" + port + "/keys")))
        .isInstanceOf(IOException.class);
  }
}
