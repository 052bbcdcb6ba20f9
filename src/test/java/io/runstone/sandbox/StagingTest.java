package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
  private static final long STRANGER = 4242;

  /** Root's on every machine, so that its sandboxes are a stranger's whoever runs the test. */
  private static final Path WORKSPACE = Path.of("/usr");

  @TempDir Path directory;
  private Path inner;

  @BeforeEach
  void make() throws Exception {
    inner = Files.createDirectories(directory.resolve("a/b"));
    for (Path path : List.of(directory, directory.resolve("a"), inner)) {
      permit(path, "rwxr-xr-x");
    }
  }

  private static void permit(Path path, String permissions) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private SandboxPolicy policy() {
    return new SandboxPolicy(
        Policies.SYSTEM, inner, WORKSPACE, Map.of(), 4096, ResourceLimits.NONE);
  }

  private SandboxHost host(long uid) {
    return new SandboxHost(List.of(), uid, STRANGER, STRANGER, directory);
  }

  @Test
  void tellsTheOutermostClosedDirectory() throws Exception {
    Reach stranger = new Reach(STRANGER, STRANGER);
    assertThat(stranger.blockedAt(inner)).isEmpty();
    permit(inner, "rwxr-x---");
    assertThat(stranger.blockedAt(inner)).contains(inner.toRealPath());
    permit(directory.resolve("a"), "rwx---r--");
    assertThat(stranger.blockedAt(inner)).contains(directory.resolve("a").toRealPath());
  }

  @Test
  void ownersAndGroupsGetTheirOwnBits() throws Exception {
    permit(inner, "rwx-----x");
    int uid = (int) Files.getAttribute(inner, "unix:uid");
    int gid = (int) Files.getAttribute(inner, "unix:gid");
    assertThat(new Reach(uid, STRANGER).blockedAt(inner)).isEmpty();
    assertThat(new Reach(STRANGER, gid).blockedAt(inner)).contains(inner.toRealPath());
    assertThat(new Reach(STRANGER, STRANGER).blockedAt(inner)).isEmpty();
  }

  @Test
  void onlyRootStagesAndOnlyWhatIsClosed() throws Exception {
    assertThat(Staging.moves(host(0), policy())).isEmpty();
    permit(directory, "rwx------");
    assertThat(Staging.moves(host(5), policy())).isEmpty();
    List<Staging.Move> moves = Staging.moves(host(0), policy());
    assertThat(moves)
        .containsExactly(
            new Staging.Move(WORKSPACE, Path.of("/sys/workspace")),
            new Staging.Move(inner, Path.of("/sys/runner")));
    assertThat(Staging.moved(policy(), moves).workspace()).isEqualTo(Path.of("/sys/workspace"));
    assertThat(Staging.moved(policy(), moves).runnerDirectory()).isEqualTo(Path.of("/sys/runner"));
  }
}
