package io.runstone.security.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
  private static final long LARGE = 1 << 20;
  private static Verifier verifier;

  @TempDir Path data;
  private Path directory;
  private Path log;
  private AuditFile file;

  /** How many bytes the disk still takes. */
  private int space = Integer.MAX_VALUE;

  @BeforeAll
  static void compile() throws Exception {
    verifier = new Verifier();
  }

  @BeforeEach
  void open() throws IOException {
    directory = data.resolve("x/audit");
    log = directory.resolve("audit.log");
    file = file(LARGE);
    file.open();
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private AuditFile file(long maxBytes) {
    return new AuditFile(
        new LogFiles(log), new AuditFile.Limits(maxBytes, 3, true), path -> new Disk(path));
  }

  /** A disk that may be full. */
  private final class Disk implements AuditChannel {
    private final AuditChannel real;

    Disk(Path path) throws IOException {
      real = AuditChannel.of(path);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      if (bytes.remaining() > space) {
        real.write(bytes.limit(bytes.position() + space));
        throw new IOException("No space left on device");
      }
      real.write(bytes);
    }

    @Override
    public void force() throws IOException {
      real.force();
    }

    @Override
    public void truncate(long size) throws IOException {
      real.truncate(size);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }

  private void restart() throws IOException {
    file.close();
    file = file(LARGE);
  }

  private static List<AuditEvent> events(int count) {
    return IntStream.range(0, count).mapToObj(i -> AuditEvents.event("s" + i)).toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  private void assertWhole(int lines) throws Exception {
    Verifier.Answer answer = verifier.check(directory);
    assertThat(answer.text()).contains(lines + " lines are as they were written");
    assertThat(answer.code()).isZero();
  }

  @Test
  void onlyTheServerCanReadIt() throws Exception {
    file.write(events(1));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
  }

  @Test
  void theChainGoesOnOverBatchesAndRestarts() throws Exception {
    file.write(events(2));
    file.write(events(3));
    restart();
    assertThat(file.open()).isEmpty();
    file.write(events(1));
    assertWhole(6);
    assertThat(Files.readAllLines(log).get(5)).startsWith("{\"sequence\":6,");
  }

  @Test
  void filesAreRotatedBySizeAndCountAndTheChainGoesOn() throws Exception {
    file.close();
    file = file(2000);
    file.open();
    for (int i = 0; i < 40; i++) {
      file.write(events(1));
      assertThat(Files.size(log)).isLessThanOrEqualTo(2000);
    }
    assertThat(names()).hasSize(4).contains(".audit.log.lock", "audit.log");
    assertThat(names().get(2)).matches("audit\\.log\\.0{10}[0-9]{2}");
    Verifier.Answer answer = verifier.check(directory);
    assertThat(answer.text()).contains("to 40");
    assertThat(answer.code()).isZero();
  }

  @Test
  void afterARotationTheChainGoesOnThoughTheFileWasNotBegun() throws Exception {
    file.write(events(3));
    file.close();
    Files.move(log, log.resolveSibling("audit.log.000000000003"));
    restart();
    file.open();
    file.write(events(1));
    assertWhole(4);
  }

  @Test
  void aLineThatACrashLeftHalfIsKeptAsideAndToldOf() throws Exception {
    file.write(events(3));
    restart();
    String half = "{\"sequence\":4,\"time\":\"2026-";
    Files.writeString(log, half, StandardOpenOption.APPEND);
    assertThat(file.open()).hasValueSatisfying(told -> assertThat(told).contains("torn-", "bytes"));
    file.write(events(1));
    assertWhole(4);
    Path aside = log.resolveSibling("torn-audit.log.000000000003");
    assertThat(aside).hasContent(half);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(aside)))
        .isEqualTo("rw-------");
  }

  @Test
  void aLogOfNothingButHalfALineBeginsAnew() throws Exception {
    restart();
    Files.writeString(log, "x".repeat(20_000));
    assertThat(file.open()).isPresent();
    file.write(events(2));
    assertWhole(2);
  }

  @Test
  void whatWasWrittenOfAFailedBatchIsTakenBack() throws Exception {
    file.write(events(2));
    space = 700;
    assertThatThrownBy(() -> file.write(events(3))).hasMessage("No space left on device");
    assertThat(verifier.check(directory).code()).isEqualTo(1);
    assertThat(file.open()).isEmpty();
    assertWhole(2);
    assertThatThrownBy(() -> file.write(events(3))).hasMessage("No space left on device");
    space = Integer.MAX_VALUE;
    assertThat(file.open()).isEmpty();
    file.write(events(3));
    assertWhole(5);
  }

  @Test
  void somethingElseInItsPlaceIsAFailure() throws Exception {
    restart();
    Files.delete(log);
    Files.createDirectory(log);
    assertThatThrownBy(file::open).isInstanceOf(IOException.class);
    Files.delete(log);
    Files.writeString(log, "someone's notes\n");
    assertThatThrownBy(file::open).hasMessageContaining("keep these files elsewhere");
    assertThat(log).hasContent("someone's notes\n");
    Files.delete(log);
    file.open();
    file.write(events(1));
    assertWhole(1);
  }

  @Test
  void aFileThatWasRemovedWhileItWasWrittenIsMissed() throws Exception {
    file.write(events(3));
    Files.delete(log);
    file.lookAgain();
    assertThatThrownBy(() -> file.write(events(1))).isInstanceOf(IOException.class);
    assertThat(file.open()).hasValueSatisfying(told -> assertThat(told).contains("removed"));
    file.write(events(1));
    assertThat(Files.readString(log)).startsWith("{\"sequence\":4,");
  }

  @Test
  void twoServersDoNotWriteOneLog() throws Exception {
    try (AuditFile other = file(LARGE)) {
      assertThatThrownBy(other::open).hasMessageContaining("runstone.audit.file");
      file.close();
      other.open();
    }
  }
}
