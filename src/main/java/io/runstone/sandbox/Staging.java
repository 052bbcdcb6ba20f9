package io.runstone.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the sandboxes' user finds workspace and runner directory when they lie below directories
 * only root can enter; pure.
 *
 * <p>A file descriptor opened by root does not help: mounts are made from paths of the sandbox's
 * own mount namespace. So root binds the two, in a mount namespace that only this sandbox has,
 * below {@code /sys}, which is no part of what a sandbox sees and exists on every host.
 */
final class Staging {
  /** Hidden by the mounts made here. */
  static final Path BASE = Path.of("/sys");

  private static final Path WORKSPACE = BASE.resolve("workspace");
  private static final Path RUNNER = BASE.resolve("runner");

  /** A directory bound at another place before privileges are dropped. */
  record Move(Path from, Path to) {}

  private Staging() {}

  /**
   * The moves a policy needs on a host: none, or both.
   *
   * @throws IOException if a directory does not exist
   */
  static List<Move> moves(SandboxHost host, SandboxPolicy policy) throws IOException {
    Reach reach = new Reach(host.uidOf(policy.workspace()), host.sandboxGid());
    boolean reachable =
        !host.root()
            || (reach.blockedAt(policy.workspace()).isEmpty()
                && reach.blockedAt(policy.runnerDirectory()).isEmpty());
    return reachable
        ? List.of()
        : List.of(
            new Move(policy.workspace(), WORKSPACE), new Move(policy.runnerDirectory(), RUNNER));
  }

  /** The policy as it reads after the moves. */
  static SandboxPolicy moved(SandboxPolicy policy, List<Move> moves) {
    return moves.isEmpty()
        ? policy
        : new SandboxPolicy(
            policy.interpreter(),
            RUNNER,
            WORKSPACE,
            policy.environment(),
            policy.tmpBytes(),
            policy.limits());
  }
}
