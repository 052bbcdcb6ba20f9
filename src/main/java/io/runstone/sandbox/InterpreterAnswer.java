package io.runstone.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a candidate said about itself; pure and stateless. */
final class InterpreterAnswer {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.\\d+");
  // Bound at the same path these would hide or be hidden by what the sandbox has there.
  private static final List<Path> TAKEN =
      List.of(
          Path.of("/app"),
          Path.of("/dev"),
          Path.of("/etc"),
          Path.of("/home/runstone"),
          SandboxView.RUNNER,
          Path.of("/proc"),
          Path.of("/sys"));

  private InterpreterAnswer() {}

  /**
   * The interpreter of an answer: version, executable, the same with links resolved, then
   * directories it needs.
   *
   * @throws SandboxException if it is too old or lies where it cannot be shown
   */
  static Interpreter parse(List<String> lines) throws SandboxException {
    if (lines.size() < 4 || !lines.get(1).startsWith("/")) {
      throw new SandboxException("is not a Python that knows where it is");
    }
    Matcher version = VERSION.matcher(lines.get(0));
    if (!version.matches()
        || Integer.parseInt(version.group(1)) != 3
        || Integer.parseInt(version.group(2)) < 9) {
      throw new SandboxException("is version " + lines.get(0) + ", not 3.9 or newer");
    }
    List<Path> prefixes = new ArrayList<>();
    for (String line : lines.subList(3, lines.size())) {
      Path prefix = Path.of(line).normalize();
      if (!prefix.startsWith(SandboxView.SYSTEM)) {
        requirePresentable(prefix);
        prefixes.add(prefix);
      }
    }
    Path executable = Path.of(lines.get(1)).normalize();
    // A link elsewhere is not seen inside. One in a prefix stays: it is what makes a virtual
    // environment one.
    boolean seen =
        executable.startsWith(SandboxView.SYSTEM)
            || prefixes.stream().anyMatch(executable::startsWith);
    return new Interpreter(
        seen ? executable : Path.of(lines.get(2)), outermost(prefixes), lines.get(0));
  }

  private static void requirePresentable(Path prefix) throws SandboxException {
    boolean taken = TAKEN.stream().anyMatch(prefix::startsWith);
    if (taken || prefix.getNameCount() < 2) {
      throw new SandboxException(
          "lies in "
              + prefix
              + (taken ? ", which is another place inside a sandbox" : ", which shows too much")
              + " (use a Python below /usr or in a directory of its own, such as /opt/python)");
    }
  }

  /** Without duplicates and without what lies in another. */
  private static List<Path> outermost(List<Path> paths) {
    List<Path> sorted = paths.stream().distinct().sorted().toList();
    return sorted.stream()
        .filter(
            path ->
                sorted.stream().noneMatch(other -> !other.equals(path) && path.startsWith(other)))
        .toList();
  }
}
