package io.runstone.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.sandbox.SandboxHost;
import io.runstone.security.UserId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceFilesTest {
  private static final UserId ANNA = new UserId("anna");

  @TempDir Path data;
  private WorkspaceFiles files;
  private Path workspace;

  @BeforeEach
  void open() throws Exception {
    Workspaces workspaces = new Workspaces(data, SandboxHost.of("", 60_800, 60_800, data));
    files = new WorkspaceFiles(workspaces);
    workspace = workspaces.directory(ANNA);
    Files.writeString(data.resolve("secret"), "secret");
    Files.createDirectories(workspace.resolve("a/b"));
    Files.writeString(workspace.resolve("a/b/deep.txt"), "deep");
    Files.writeString(workspace.resolve("plain.txt"), "plain");
    Files.writeString(workspace.resolve(".hidden"), "hidden");
    Files.writeString(workspace.resolve("new\nline"), "x");
    Files.createSymbolicLink(workspace.resolve("link"), data.resolve("secret"));
    Files.createSymbolicLink(workspace.resolve("dir"), data);
    Files.createSymbolicLink(workspace.resolve("a/up"), Path.of(".."));
  }

  private Optional<String> read(String path) throws Exception {
    Optional<InputStream> in = files.open(ANNA, path);
    if (in.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream open = in.orElseThrow()) {
      return Optional.of(new String(open.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void regularFilesAreListedByPath() throws Exception {
    assertThat(files.list(ANNA))
        .extracting(WorkspaceFiles.Entry::path)
        .containsExactly("a/b/deep.txt", "plain.txt");
    assertThat(files.list(new UserId("bert"))).isEmpty();
  }

  @Test
  void regularFilesAreRead() throws Exception {
    assertThat(read("plain.txt")).contains("plain");
    assertThat(read("a/b/deep.txt")).contains("deep");
    assertThat(read(".hidden")).contains("hidden");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        ".",
        "..",
        "../secret",
        "link",
        "dir/secret",
        "a/up/plain.txt",
        "a",
        "a/b",
        "none",
        "/etc/passwd",
        "a//b/deep.txt",
        "a/./b/deep.txt",
        "a/../plain.txt",
        "new\nline",
        "plain.txt/",
        "plain.txt\u0000"
      })
  void whatIsNoPlainPathOfARegularFileIsNothing(String path) throws Exception {
    assertThat(read(path)).isEmpty();
  }

  @Test
  void longAndDeepPathsAreNothing() throws Exception {
    assertThat(read("x".repeat(5000))).isEmpty();
    assertThat(read("a/".repeat(100) + "x")).isEmpty();
  }

  @Test
  void aListIsBounded() throws Exception {
    for (int i = 0; i < 1100; i++) {
      Files.createFile(workspace.resolve("f" + i));
    }
    Path deep = workspace;
    for (String name : List.of("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")) {
      deep = Files.createDirectory(deep.resolve(name));
    }
    assertThat(files.list(ANNA)).hasSize(1000);
  }

  private static void fifo(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  @Test
  void aPipeIsNoFileAndKeepsNobodyWaiting() throws Exception {
    fifo(workspace.resolve("pipe"));
    assertThat(read("pipe")).isEmpty();
    assertThat(read("pipe/x")).isEmpty();
    assertThat(files.list(ANNA)).extracting(WorkspaceFiles.Entry::path).doesNotContain("pipe");
  }

  @Test
  @Timeout(60)
  void whatIsExchangedWhileItIsReadLeadsNowhere() throws Exception {
    Path name = workspace.resolve("swapped");
    Path pipe = workspace.resolve(".pipe");
    fifo(pipe);
    AtomicBoolean over = new AtomicBoolean();
    Thread swapper =
        new Thread(
            () -> {
              try {
                while (!over.get()) {
                  Files.copy(workspace.resolve("plain.txt"), name);
                  Files.delete(name);
                  Files.createSymbolicLink(name, data.resolve("secret"));
                  Files.delete(name);
                  Files.createLink(name, pipe);
                  Files.delete(name);
                  Files.createSymbolicLink(name, data);
                  Files.delete(name);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    swapper.start();
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      for (String path : List.of("swapped", "swapped/secret")) {
        Optional<String> text = read(path);
        found += text.isPresent() ? 1 : 0;
        assertThat(text.orElse("")).isIn("", "plain");
      }
    }
    over.set(true);
    swapper.join();
    assertThat(found).isPositive();
    assertThat(Files.readString(data.resolve("secret"))).isEqualTo("secret");
  }
}
