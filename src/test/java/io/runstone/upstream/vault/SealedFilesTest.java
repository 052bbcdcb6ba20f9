package io.runstone.upstream.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted files, the keys of which change. */
class SealedFilesTest {
  private static final List<String> ANNA = List.of("grant", "anna", "crm");

  @TempDir Path directory;

  private Path keys;
  private SealedFiles files;

  @BeforeEach
  void open() throws Exception {
    keys = directory.resolve("keys");
    keys("k1 " + key(1));
    files = new SealedFiles(directory.resolve("credentials"), ring());
  }

  private KeyRing ring() {
    return new KeyRing(Optional.of(new SecretFile(keys, Clock.systemUTC())));
  }

  private static String key(int fill) {
    byte[] key = new byte[32];
    java.util.Arrays.fill(key, (byte) fill);
    return Base64.getEncoder().encodeToString(key);
  }

  private void keys(String... lines) throws IOException {
    Files.write(keys, List.of(lines));
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r-----"));
  }

  private Path only() throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("credentials"))) {
      List<Path> found = all.toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void comesBackAsItWas() throws Exception {
    files.write(ANNA, bytes("canary-1"));
    assertThat(files.read(ANNA)).hasValue(bytes("canary-1"));
    assertThat(files.has(ANNA)).isTrue();
    assertThat(files.read(List.of("grant", "anna", "other"))).isEmpty();
    files.delete(ANNA);
    assertThat(files.has(ANNA)).isFalse();
  }

  @Test
  void onlyTheServerCanReadIt() throws Exception {
    files.write(ANNA, bytes("canary-1"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(only())))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(only().getParent())))
        .isEqualTo("rwx------");
    assertThat(new String(Files.readAllBytes(only()), StandardCharsets.ISO_8859_1))
        .doesNotContain("canary", "anna", "crm");
    assertThat(only().getFileName().toString()).matches("[0-9a-f]{64}");
  }

  @Test
  void namesOfUsersArePartOfNoPath() throws Exception {
    files.write(List.of("grant", "../../../etc/passwd", "crm"), bytes("x"));
    assertThat(only().getFileName().toString()).matches("[0-9a-f]{64}");
  }

  @Test
  void wordsCanNotBeMovedFromOneToAnother() throws Exception {
    files.write(List.of("grant", "ab", "c"), bytes("x"));
    assertThat(files.read(List.of("grant", "a", "bc"))).isEmpty();
  }

  @Test
  void isNotOpenedAsSomebodyElses() throws Exception {
    files.write(ANNA, bytes("canary-1"));
    Path his = only();
    byte[] sealed = Files.readAllBytes(his);
    Files.delete(his);
    files.write(List.of("grant", "ben", "crm"), bytes("x"));
    Files.write(only(), sealed);
    assertThat(files.read(List.of("grant", "ben", "crm"))).isEmpty();
  }

  @Test
  void aChangedByteIsNoticed() throws Exception {
    files.write(ANNA, bytes("canary-1"));
    byte[] sealed = Files.readAllBytes(only());
    for (int i = 0; i < sealed.length; i++) {
      byte[] other = sealed.clone();
      other[i] ^= 1;
      Files.write(only(), other);
      assertThat(files.read(ANNA)).as("byte " + i).isEmpty();
    }
    for (int i = 0; i < sealed.length; i++) {
      Files.write(only(), java.util.Arrays.copyOf(sealed, i));
      assertThat(files.read(ANNA)).as("length " + i).isEmpty();
    }
  }

  @Test
  void theFirstKeyWritesAndAllRead() throws Exception {
    files.write(ANNA, bytes("one"));
    keys("# new", "k2 " + key(2), "k1 " + key(1));
    assertThat(files.read(ANNA)).hasValue(bytes("one"));
    files.write(ANNA, bytes("two"));
    keys("k2 " + key(2));
    assertThat(files.read(ANNA)).hasValue(bytes("two"));
    keys("k1 " + key(1));
    assertThat(files.read(ANNA)).isEmpty();
  }

  @Test
  void aKeyThatOthersCanReadIsNone() throws Exception {
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> files.write(ANNA, bytes("x")))
        .isInstanceOf(UnusableSecretException.class)
        .hasMessageContaining("chmod o-rw");
  }

  @Test
  void aLineThatIsNoKeyIsNotRepeated() throws Exception {
    for (String line :
        List.of("canary", "k1 canary!", "k/1 " + key(1), "k1 " + key(1).substring(4), "# none")) {
      keys(line);
      assertThatThrownBy(() -> files.write(ANNA, bytes("x")))
          .as(line)
          .isInstanceOf(UnusableSecretException.class)
          .hasMessageNotContaining("canary");
    }
    keys("k1 " + key(1), "k1 " + key(2));
    assertThatThrownBy(() -> files.write(ANNA, bytes("x")))
        .isInstanceOf(UnusableSecretException.class);
  }

  @Test
  void theAdministratorsProgramMakesKeys() throws Exception {
    Files.delete(keys);
    assertThat(program("add")).startsWith("added ");
    files.write(ANNA, bytes("one"));
    String old = program("list").strip();
    assertThat(old).matches("[0-9-]{10}-[0-9a-f]{6}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
        .isEqualTo("rw-------");
    program("add");
    assertThat(files.read(ANNA)).hasValue(bytes("one"));
    files.write(ANNA, bytes("two"));
    program("remove", old);
    assertThat(files.read(ANNA)).hasValue(bytes("two"));
    assertThat(program("remove", program("list").strip())).contains("the only key");
  }

  private String program(String... command) throws Exception {
    List<String> line =
        new ArrayList<>(List.of("java", "server-config/UpstreamKeys.java", keys.toString()));
    line.addAll(List.of(command));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out.lines().filter(text -> !text.startsWith("Made ")).reduce("", (a, b) -> a + b);
  }
}
