package io.runstone.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.http.ResponseStream.Ending;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResponseStreamTest {
  private final FakeConnection connection = new FakeConnection();
  private final ResponseStream stream = connection.stream();

  private Ending ending() {
    return stream.whenEnded().toCompletableFuture().getNow(null);
  }

  @Test
  void whatWasWrittenBeforeTheEndArrivesAndNothingAfterIt() {
    stream.write("a");
    stream.write("b");
    stream.close();
    stream.write("c");
    stream.close();
    assertThat(connection.text()).isEqualTo("ab");
    assertThat(connection.completions()).isEqualTo(1);
    assertThat(ending()).isEqualTo(Ending.COMPLETE);
  }

  @Test
  void aFailedWriteEndsItOnce() {
    stream.write("a");
    assertThat(ending()).isNull();
    connection.breakOff();
    stream.write("b");
    stream.close();
    assertThat(ending()).isEqualTo(Ending.BROKEN);
    assertThat(connection.completions()).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("NullAway") // the event is not looked at
  void whenTheContainerGivesUpNothingMoreIsWritten() {
    stream.onError(null);
    stream.write("a");
    assertThat(connection.text()).isEmpty();
    assertThat(ending()).isEqualTo(Ending.BROKEN);
  }

  @Test
  void onlyAQuietStreamIsKeptAlive() {
    long now = System.nanoTime();
    stream.tick(now + TimeUnit.HOURS.toNanos(1));
    assertThat(connection.text()).isEmpty();
    stream.keepAlive(".", Duration.ofSeconds(1));
    stream.tick(now + TimeUnit.SECONDS.toNanos(5));
    assertThat(connection.text()).isEqualTo(".");
    stream.write("a");
    stream.tick(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(900));
    assertThat(connection.text()).isEqualTo(".a");
  }
}
