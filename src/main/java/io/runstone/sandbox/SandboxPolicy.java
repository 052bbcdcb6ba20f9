package io.runstone.sandbox;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What one sandbox may see and use; immutable.
 *
 * @param interpreter the Python that runs {@code supervisor.py}
 * @param runnerDirectory host directory with {@code supervisor.py}, read-only inside at {@link
 *     SandboxView#RUNNER}
 * @param workspace host directory, writable inside at {@link SandboxView#WORKSPACE}; it has to
 *     belong to the sandbox's user, see {@link SandboxHost#giveToSandbox}
 * @param environment variables added to the fixed ones, and winning over them
 * @param tmpBytes size of each of the private file systems {@code /tmp}, {@code /dev/shm} and the
 *     home directory, which are memory
 * @param limits for all of it together
 */
public record SandboxPolicy(
    Interpreter interpreter,
    Path runnerDirectory,
    Path workspace,
    Map<String, String> environment,
    long tmpBytes,
    ResourceLimits limits) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if a path is not absolute, a variable cannot be one or the
   *     size is below one page
   */
  public SandboxPolicy {
    environment = Map.copyOf(environment);
    if (!runnerDirectory.isAbsolute() || !workspace.isAbsolute()) {
      throw new IllegalArgumentException("runner directory and workspace are absolute paths");
    }
    if (tmpBytes < 4096) {
      throw new IllegalArgumentException("tmpBytes is at least 4096, not " + tmpBytes);
    }
    environment.forEach(
        (name, value) -> {
          if (!NAME.matcher(name).matches() || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not an environment variable: " + name);
          }
        });
  }
}
