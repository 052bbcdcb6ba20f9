package io.runstone.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.sandbox.SandboxHost;
import io.runstone.security.UserId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspacesTest {
  @TempDir Path data;
  private Workspaces workspaces;

  @BeforeEach
  void make() throws IOException {
    workspaces = new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data));
  }

  @Test
  void aUserHasOneDirectoryAndNobodyElsesIsTheSame() throws IOException {
    Path mine = workspaces.directory(new UserId("a"));
    assertThat(workspaces.directory(new UserId("a"))).isEqualTo(mine).isDirectory();
    assertThat(workspaces.directory(new UserId("A"))).isNotEqualTo(mine);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mine)))
        .isEqualTo("rwx------");
  }

  @Test
  void noNameLeadsOutOfTheDataDirectory() throws IOException {
    for (String name :
        List.of("../../etc", "/etc", "a/b", "..", "a\nb", "a\0b", "\u00e9".repeat(200))) {
      Path directory = workspaces.directory(new UserId(name));
      assertThat(directory.getParent()).isEqualTo(data.resolve("workspaces"));
      assertThat(directory.getFileName().toString()).matches("[0-9a-f]{32}");
    }
  }

  @Test
  void aLinkInPlaceOfADirectoryIsRefused() throws IOException {
    Path mine = workspaces.directory(new UserId("a"));
    Files.delete(mine);
    Files.createSymbolicLink(mine, data.resolve("nowhere"));
    assertThatThrownBy(() -> workspaces.directory(new UserId("a"))).isInstanceOf(IOException.class);
  }

  @Test
  void whereTheServerMayEachWorkspaceHasAnOwnerOfItsOwn() throws IOException {
    SandboxHost host = SandboxHost.of("", 60_800, 60_800, data);
    Workspaces many = new Workspaces(data, host, 10);
    Path annas = many.directory(new UserId("anna"));
    Path berts = many.directory(new UserId("bert"));
    assertThat(host.uidOf(annas)).isEqualTo(host.uidOf(many.directory(new UserId("anna"))));
    if (host.root()) {
      assertThat(host.uidOf(annas)).isEqualTo(60_800);
      assertThat(host.uidOf(berts)).isEqualTo(60_801);
    } else {
      assertThat(host.uidOf(annas)).isEqualTo(host.serverUid());
    }
  }
}
