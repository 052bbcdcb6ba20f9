package io.runstone.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Starts processes at one level; what it needs of the host is looked up once. Confined to the
 * launch thread.
 */
final class SandboxStart implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SandboxStart.class.getName());
  private static final Path NONE = Path.of("/nonexistent");

  private final SandboxHost host;
  private final SandboxLevel level;
  private final LaunchDirectory directory;
  private final HostFiles hostFiles;
  private final ControlGroups groups;
  private long number;

  private SandboxStart(
      SandboxHost host,
      SandboxLevel level,
      ControlGroups groups,
      LaunchDirectory directory,
      HostFiles hostFiles) {
    this.host = host;
    this.level = level;
    this.groups = groups;
    this.directory = directory;
    this.hostFiles = hostFiles;
  }

  static SandboxStart prepare(SandboxHost host, SandboxLevel level, ControlGroups groups)
      throws IOException, SandboxException {
    String machine = System.getProperty("os.arch", "unknown");
    SeccompArch arch =
        SeccompArch.of(machine)
            .orElseThrow(
                () ->
                    new SandboxException(
                        "no system call filter for "
                            + machine
                            + " yet: add its numbers to seccomp.table"));
    LaunchDirectory directory =
        LaunchDirectory.create(host.runDirectory(), LaunchDirectory.filter(arch));
    return new SandboxStart(host, level, groups, directory, HostFiles.look());
  }

  /**
   * Starts a sandbox.
   *
   * @param closed told when it is closed, after the other
   * @param ended told of its control group when that is to be removed, also if the start fails
   * @throws IOException if a process cannot be started
   * @throws SandboxException if something is missing on this host
   */
  SandboxProcess start(
      SandboxPolicy policy, Consumer<SandboxProcess> closed, Consumer<ControlGroup> ended)
      throws IOException, SandboxException {
    Optional<ControlGroup> group = groups.create(policy.limits());
    try {
      return start(
          policy,
          group,
          sandbox -> {
            group.ifPresent(ended);
            closed.accept(sandbox);
          });
    } catch (IOException | SandboxException | RuntimeException e) {
      group.ifPresent(ended);
      throw e;
    }
  }

  private SandboxProcess start(
      SandboxPolicy policy, Optional<ControlGroup> group, Consumer<SandboxProcess> closed)
      throws IOException, SandboxException {
    number++;
    Diagnostics diagnostics = new Diagnostics(directory.path().resolve(number + ".err"));
    Path arguments = directory.path().resolve(number + ".args");
    LaunchMark mark = new LaunchMark(directory.path().resolve(Long.toString(number)).toString());
    try {
      List<Path> joined = group.map(ControlGroup::entrances).orElse(List.of());
      LaunchCommand command =
          level == SandboxLevel.BUBBLEWRAP
              ? bubblewrap(policy, arguments, mark, joined)
              : inGroups(launcher(policy), joined);
      Process process = start(command, diagnostics.file());
      OsSandboxProcess sandbox =
          new OsSandboxProcess(
              process, level, mark, group, diagnostics, () -> delete(arguments), closed);
      command.plan().ifPresent(plan -> send(plan, sandbox));
      return sandbox;
    } catch (IOException | SandboxException e) {
      delete(arguments);
      diagnostics.delete();
      throw e;
    }
  }

  private LaunchCommand bubblewrap(
      SandboxPolicy policy, Path arguments, LaunchMark mark, List<Path> joined)
      throws IOException, SandboxException {
    List<Staging.Move> moves = Staging.moves(host, policy);
    SandboxPolicy seen = Staging.moved(policy, moves);
    List<String> rendered =
        BubblewrapArguments.render(
            SandboxView.steps(seen, hostFiles),
            SandboxView.environment(policy),
            SandboxView.WORKSPACE);
    Files.write(arguments, BubblewrapArguments.bytes(rendered));
    LaunchCommand.Tools tools =
        new LaunchCommand.Tools(
            tool("sh", "a shell"),
            tool("bwrap", "bubblewrap, version 0.8 or newer"),
            host.root() ? tool("setpriv", "util-linux") : NONE,
            moves.isEmpty() ? NONE : tool("unshare", "util-linux"),
            host.searchPath().stream().map(Path::toString).collect(Collectors.joining(":")));
    return LaunchCommand.bubblewrap(
        mark,
        tools,
        drop(policy),
        moves,
        directory.bubblewrapFiles(arguments),
        joined,
        policy.interpreter());
  }

  private LaunchCommand inGroups(LaunchCommand command, List<Path> joined) throws SandboxException {
    return joined.isEmpty()
        ? command
        : command.in(joined, tool("sh", "a shell"), tool("env", "coreutils"));
  }

  private LaunchCommand launcher(SandboxPolicy policy) throws IOException, SandboxException {
    List<Staging.Move> moves = Staging.moves(host, policy);
    long parent = ProcessHandle.current().pid();
    if (level == SandboxLevel.NONE) {
      requireReachable(policy, moves);
      Map<String, String> environment =
          SandboxView.environment(policy, policy.workspace(), policy.workspace());
      Path program = policy.runnerDirectory().resolve(SandboxView.PROGRAM);
      return LaunchCommand.launcher(
          policy.interpreter(),
          environment,
          new LauncherPlan(
              level, parent, drop(policy), List.of(), List.of(), "", policy.workspace(), program));
    }
    return LaunchCommand.launcher(
        policy.interpreter(),
        SandboxView.environment(policy),
        new LauncherPlan(
            level,
            parent,
            drop(policy),
            moves,
            SandboxView.steps(Staging.moved(policy, moves), hostFiles),
            directory.filter(),
            SandboxView.WORKSPACE,
            SandboxView.RUNNER.resolve(SandboxView.PROGRAM)));
  }

  private void requireReachable(SandboxPolicy policy, List<Staging.Move> moves)
      throws IOException, SandboxException {
    if (!moves.isEmpty()) {
      throw new SandboxException(
          "without a sandbox the unprivileged user "
              + host.uidOf(policy.workspace())
              + " has to reach "
              + policy.workspace()
              + " and "
              + policy.runnerDirectory()
              + ": let others enter (chmod o+x) every directory above them");
    }
  }

  /** The user and group to become: those whose files the workspace has. */
  private List<Long> drop(SandboxPolicy policy) throws IOException {
    return host.root() ? List.of(host.uidOf(policy.workspace()), host.sandboxGid()) : List.of();
  }

  private Path tool(String program, String what) throws SandboxException {
    return host.which(program)
        .orElseThrow(
            () ->
                new SandboxException(
                    program + " was not found on the search path: install " + what));
  }

  private Process start(LaunchCommand command, Path errors) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command.words())
            .directory(directory.path().toFile())
            .redirectError(Redirect.to(errors.toFile()));
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    return builder.start();
  }

  private static void send(LauncherPlan plan, SandboxProcess sandbox) {
    try {
      OutputStream stream = sandbox.input();
      stream.write(plan.frame());
      stream.flush();
    } catch (IOException e) {
      // It has ended already: its exit and its diagnostics say more than this does.
      LOG.log(Level.DEBUG, "a sandbox ended before it was told what to do", e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot delete a sandbox's file", e);
    }
  }

  @Override
  public void close() throws IOException {
    directory.close();
  }
}
