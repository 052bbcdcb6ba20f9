package io.runstone.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Finds a Python that sandboxes can run, by running it as the sandboxes' user. Stateless. */
public final class InterpreterProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final List<Path> USUAL =
      List.of(Path.of("/usr/bin/python3"), Path.of("/usr/local/bin/python3"));
  // One fact on each line; a shim runs the real program, which tells where it is.
  private static final String QUESTION =
      """
      import os, sys
      print("%d.%d.%d" % sys.version_info[:3])
      print(sys.executable)
      print(os.path.realpath(sys.executable))
      library = os.path.dirname(os.__file__)
      program = os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))
      for place in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, library, program):
          print(place)
          print(os.path.realpath(place))
      """;

  private InterpreterProbe() {}

  /**
   * The configured interpreter, or the first usable one of {@code python3} on the search path and
   * the usual places. Takes at most 10 s for each.
   *
   * @param configured path of the one to use; then no other is tried
   * @throws SandboxException if none is usable; the message has the reason for each
   */
  public static Interpreter find(SandboxHost host, Optional<Path> configured)
      throws SandboxException {
    List<String> reasons = new ArrayList<>();
    for (Path candidate : candidates(host, configured)) {
      try {
        return probe(host, candidate);
      } catch (SandboxException e) {
        reasons.add(candidate + ": " + e.getMessage());
      }
    }
    throw new SandboxException(
        "no usable Python, 3.9 or newer ("
            + (reasons.isEmpty() ? "there is no python3 on the search path" : "")
            + String.join("; ", reasons)
            + "): install python3 for all users, or set runstone.kernel.python to one outside of private"
            + " directories");
  }

  private static Set<Path> candidates(SandboxHost host, Optional<Path> configured) {
    if (configured.isPresent()) {
      return Set.of(configured.orElseThrow());
    }
    Set<Path> candidates = new LinkedHashSet<>();
    host.searchPath().stream()
        .map(directory -> directory.resolve("python3"))
        .filter(Files::isExecutable)
        .forEach(candidates::add);
    USUAL.stream().filter(Files::isExecutable).forEach(candidates::add);
    return candidates;
  }

  private static Interpreter probe(SandboxHost host, Path candidate) throws SandboxException {
    try {
      Reach reach = new Reach(host.sandboxUid(), host.sandboxGid());
      if (host.root()) {
        requireReachable(reach, candidate);
      }
      Interpreter interpreter = InterpreterAnswer.parse(ask(host, candidate));
      if (host.root()) {
        for (Path prefix : interpreter.prefixes()) {
          requireReachable(reach, prefix);
        }
      }
      return interpreter;
    } catch (IOException e) {
      throw new SandboxException("cannot be run (" + e.getMessage() + ")", e);
    }
  }

  private static void requireReachable(Reach reach, Path path)
      throws IOException, SandboxException {
    Optional<Path> blocked = reach.blockedAt(path);
    if (blocked.isPresent()) {
      throw new SandboxException(
          "the sandboxes' user "
              + reach.uid()
              + " cannot enter "
              + blocked.orElseThrow()
              + " (chmod o+x it, or use a Python elsewhere)");
    }
  }

  private static List<String> ask(SandboxHost host, Path candidate)
      throws IOException, SandboxException {
    List<String> words = new ArrayList<>();
    if (host.root()) {
      // Where it is missing bubblewrap cannot be used either; the launcher drops by itself.
      host.which("setpriv")
          .ifPresent(
              setpriv ->
                  words.addAll(
                      List.of(
                          setpriv.toString(),
                          "--reuid=" + host.sandboxUid(),
                          "--regid=" + host.sandboxGid(),
                          "--clear-groups",
                          "--no-new-privs",
                          "--")));
    }
    words.addAll(List.of(candidate.toString(), "-I", "-c", QUESTION));
    Path answer = Files.createTempFile("runstone-python", ".txt");
    try {
      return run(words, host, answer);
    } finally {
      Files.deleteIfExists(answer);
    }
  }

  private static List<String> run(List<String> words, SandboxHost host, Path answer)
      throws IOException, SandboxException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(Path.of("/").toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(answer.toFile());
    builder.environment().clear();
    builder
        .environment()
        .put("PATH", String.join(":", host.searchPath().stream().map(Path::toString).toList()));
    Process process = builder.start();
    try {
      if (!process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SandboxException("no answer within " + TIMEOUT.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SandboxException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    List<String> lines =
        new String(Files.readAllBytes(answer), StandardCharsets.UTF_8).lines().toList();
    if (process.exitValue() != 0) {
      String last = lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1);
      throw new SandboxException("ended with exit " + process.exitValue() + last);
    }
    return lines;
  }
}
