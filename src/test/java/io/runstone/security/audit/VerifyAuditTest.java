package io.runstone.security.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says of the program that checks a log. */
class VerifyAuditTest {
  private static Verifier verifier;

  @TempDir Path directory;
  private Path log;
  private Path rotated;

  @BeforeAll
  static void compile() throws Exception {
    verifier = new Verifier();
  }

  /** Lines 1 to 4 in a rotated file, 5 to 8 in the one that is written. */
  @BeforeEach
  void write() throws IOException {
    log = directory.resolve("audit.log");
    rotated = directory.resolve("audit.log.000000000004");
    AuditLine line = AuditLine.NONE;
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      line = AuditLine.after(line, AuditEvents.event("s" + i));
      lines.add(line.text());
    }
    Files.write(rotated, lines.subList(0, 4));
    Files.write(log, lines.subList(4, 8));
  }

  private Verifier.Answer check(String... options) throws Exception {
    return verifier.check(directory, options);
  }

  private void assertBroken(Path file, int line, String why) throws Exception {
    Verifier.Answer answer = check();
    assertThat(answer.text()).contains("BROKEN: " + file + " line " + line + ": ", why);
    assertThat(answer.code()).isEqualTo(1);
  }

  private static List<String> lines(Path file) throws IOException {
    return new ArrayList<>(Files.readAllLines(file));
  }

  @Test
  void intact() throws Exception {
    String last = AuditLine.parse(lines(log).get(3)).orElseThrow().hash();
    Verifier.Answer answer = check();
    assertThat(answer.text())
        .contains(
            "8 lines are as they were written", "the first of this log", "last hash: " + last);
    assertThat(answer.code()).isZero();
    assertThat(verifier.run(log.toString(), rotated.toString()).code()).isZero();
    assertThat(verifier.run(log.toString()).text()).contains("from 5 to 8");
  }

  @Test
  void aChangedLine() throws Exception {
    Files.writeString(log, Files.readString(log).replace("\"s5\"", "\"s0\""));
    assertBroken(log, 2, "this line was changed");
  }

  @Test
  void aChangedLineWithItsHashMadeAnew() throws Exception {
    List<String> lines = lines(log);
    AuditLine before = AuditLine.parse(lines.get(0)).orElseThrow();
    lines.set(1, AuditLine.after(before, AuditEvents.event("other")).text());
    Files.write(log, lines);
    assertBroken(log, 3, "the line before this one was changed");
  }

  @Test
  void aRemovedLine() throws Exception {
    List<String> lines = lines(rotated);
    lines.remove(2);
    Files.write(rotated, lines);
    assertBroken(rotated, 3, "number 4 follows 2");
  }

  @Test
  void aRemovedFile() throws Exception {
    Path third = directory.resolve("audit.log.000000000006");
    Files.write(third, lines(log).subList(0, 2));
    Files.write(log, lines(log).subList(2, 4));
    assertThat(check().code()).isZero();
    Files.delete(third);
    assertBroken(log, 1, "number 7 follows 4");
  }

  @Test
  void anInsertedLine() throws Exception {
    List<String> lines = lines(log);
    lines.add(
        1,
        AuditLine.after(AuditLine.parse(lines.get(0)).orElseThrow(), AuditEvents.event("x"))
            .text());
    Files.write(log, lines);
    assertBroken(log, 3, "number 6 follows 6");
    lines.set(1, "not a line");
    Files.write(log, lines);
    assertBroken(log, 2, "no whole line");
  }

  @Test
  void anEndThatIsCutOff() throws Exception {
    String text = Files.readString(log);
    Files.writeString(log, text.substring(0, text.length() - 10));
    assertBroken(log, 4, "no whole line");
    Files.writeString(log, text.substring(0, text.length() - 1));
    assertThat(check().text()).contains("the last line has no end");
    assertThat(check().code()).isEqualTo(1);
  }

  @Test
  void wholeLinesMissingAtTheEndAreNoticedByAHashOfEarlier() throws Exception {
    String last = AuditLine.parse(lines(log).get(3)).orElseThrow().hash();
    assertThat(check("--has", last).code()).isZero();
    Files.write(log, lines(log).subList(0, 2));
    assertThat(check().code()).isZero();
    Verifier.Answer answer = check("--has", last);
    assertThat(answer.text()).contains("BROKEN: there is no line with the hash " + last);
    assertThat(answer.code()).isEqualTo(1);
  }

  @Test
  void saysWhatItCantTell() throws Exception {
    assertThat(verifier.run().text()).contains("usage");
    assertThat(verifier.run().code()).isEqualTo(2);
    assertThat(verifier.run("--has").code()).isEqualTo(2);
    assertThat(verifier.run(directory.resolve("absent").toString()).code()).isEqualTo(2);
  }

  @Test
  void anEmptyFileIsOneThatWasJustBegun() throws Exception {
    Files.move(log, directory.resolve("audit.log.000000000008"));
    Files.createFile(log);
    assertThat(check().code()).isZero();
  }

  /** As the guide calls it. */
  @Test
  void runsFromItsSource() throws Exception {
    Files.writeString(log, "x", StandardOpenOption.APPEND);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Verifier.SOURCE.toString(),
                rotated.toString(),
                log.toString())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(text).contains("8 lines are as they were written", "line 5");
  }
}
