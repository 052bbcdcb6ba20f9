package io.runstone.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program sees from inside, the same on both confining levels: {@code /usr} and the
 * interpreter read-only, the caller's files writable, private {@code /tmp}, {@code /dev/shm} and
 * home in memory, its own processes, no network. Pure and stateless.
 */
public final class SandboxView {
  /** The caller's files, writable. */
  public static final Path WORKSPACE = Path.of("/app/uploads");

  /** The runner's files, read-only. */
  public static final Path RUNNER = Path.of("/opt/runstone");

  /** The program that is run, below the runner directory. */
  public static final String PROGRAM = "supervisor.py";

  static final Path SYSTEM = Path.of("/usr");
  static final String HOST_NAME = "runstone";
  static final int UID = 1000;
  static final int GID = 1000;

  private static final Path HOME = Path.of("/home/runstone");
  private static final Path NOTHING = Path.of("/dev/null");
  private static final List<String> PATH = List.of("/usr/local/bin", "/usr/bin", "/bin");
  private static final String USERS =
      """
      root:x:0:0:root:/root:/usr/sbin/nologin
      runstone:x:1000:1000:runstone:/home/runstone:/bin/sh
      nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
      """;
  private static final String GROUPS =
      """
      root:x:0:
      runstone:x:1000:
      nogroup:x:65534:
      """;

  private SandboxView() {}

  /** The steps that build it, in order. */
  static List<ViewStep> steps(SandboxPolicy policy, HostFiles host) {
    List<ViewStep> steps = new ArrayList<>();
    host.readable().forEach(path -> steps.add(readOnly(path)));
    host.links().forEach((path, target) -> steps.add(new ViewStep.Link(path, target)));
    steps.addAll(texts());
    steps.addAll(processes(host));
    steps.add(new ViewStep.Devices(Path.of("/dev")));
    steps.add(new ViewStep.Memory(Path.of("/dev/shm"), policy.tmpBytes(), "1777"));
    steps.add(new ViewStep.Freeze(Path.of("/dev")));
    steps.add(new ViewStep.Memory(Path.of("/tmp"), policy.tmpBytes(), "1777"));
    steps.add(new ViewStep.Memory(HOME, policy.tmpBytes(), "0700"));
    policy.interpreter().prefixes().forEach(prefix -> steps.add(readOnly(prefix)));
    steps.add(new ViewStep.Bind(WORKSPACE, policy.workspace(), true));
    steps.add(new ViewStep.Bind(RUNNER, policy.runnerDirectory(), false));
    // Otherwise it would be a writable file system in memory without a limit.
    steps.add(new ViewStep.Freeze(Path.of("/")));
    return List.copyOf(steps);
  }

  /** The files that are made up, in the order of their steps. */
  static List<ViewStep.Text> texts() {
    return List.of(
        new ViewStep.Text(Path.of("/etc/passwd"), USERS),
        new ViewStep.Text(Path.of("/etc/group"), GROUPS));
  }

  private static List<ViewStep> processes(HostFiles host) {
    List<ViewStep> steps = new ArrayList<>();
    steps.add(new ViewStep.Processes(Path.of("/proc")));
    host.readOnlyProc().forEach(path -> steps.add(readOnly(path)));
    host.hiddenProcFiles().forEach(path -> steps.add(new ViewStep.Bind(path, NOTHING, false)));
    for (Path path : host.hiddenProcDirectories()) {
      steps.add(new ViewStep.Memory(path, 0, "0555"));
      steps.add(new ViewStep.Freeze(path));
    }
    return steps;
  }

  private static ViewStep readOnly(Path path) {
    return new ViewStep.Bind(path, path, false);
  }

  /** All variables of the program; the policy's win. */
  static Map<String, String> environment(SandboxPolicy policy) {
    return environment(policy, HOME, WORKSPACE);
  }

  /** The same for another home and working directory. */
  static Map<String, String> environment(SandboxPolicy policy, Path home, Path workingDirectory) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PATH", path(policy.interpreter().executable()));
    variables.put("HOME", home.toString());
    variables.put("PWD", workingDirectory.toString());
    variables.put("USER", "runstone");
    variables.put("LOGNAME", "runstone");
    variables.put("LANG", "C.UTF-8");
    variables.putAll(policy.environment());
    return variables;
  }

  private static String path(Path executable) {
    Path directory = executable.getParent();
    List<String> directories = new ArrayList<>(PATH);
    if (directory != null && !PATH.contains(directory.toString())) {
      directories.add(0, directory.toString());
    }
    return String.join(":", directories);
  }
}
