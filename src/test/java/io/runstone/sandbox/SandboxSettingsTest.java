package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The package's values refuse what cannot work. */
class SandboxSettingsTest {
  private static final Path RUN = Path.of("/run/x");

  @Test
  void modesAreParsedInAnyCase() {
    assertThat(SandboxMode.parse(" Auto ")).isEqualTo(SandboxMode.AUTO);
    assertThat(SandboxMode.parse("namespaces")).isEqualTo(SandboxMode.NAMESPACES);
    assertThatThrownBy(() -> SandboxMode.parse("docker"))
        .hasMessageContaining("auto, bubblewrap, namespaces, none");
  }

  @Test
  void autoNeverMeansNone() {
    assertThat(SandboxProbe.levels(SandboxMode.AUTO))
        .containsExactly(SandboxLevel.BUBBLEWRAP, SandboxLevel.NAMESPACES);
  }

  @Test
  void sandboxesNeverRunAsRoot() {
    assertThatThrownBy(() -> new SandboxHost(List.of(), 0, 0, 0, RUN))
        .hasMessageContaining("never run as root");
    assertThat(new SandboxHost(List.of(), 5, 0, 0, RUN).root()).isFalse();
  }

  @Test
  void searchPathHasAbsoluteDirectoriesOnly() throws Exception {
    SandboxHost host = SandboxHost.of(":.:/usr/bin::bin", 9, 9, RUN);
    assertThat(host.searchPath()).containsExactly(Path.of("/usr/bin"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A B", "A=B", "1A", "Ä"})
  void variablesHaveNames(String name) {
    Path path = Path.of("/x");
    assertThatThrownBy(
            () ->
                new SandboxPolicy(
                    Policies.SYSTEM, path, path, Map.of(name, "v"), 4096, ResourceLimits.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void statusTellsWhetherConfined() {
    assertThat(status(Optional.of(SandboxLevel.NAMESPACES)).confined()).isTrue();
    assertThat(status(Optional.of(SandboxLevel.NONE)).confined()).isFalse();
    assertThat(status(Optional.empty()).confined()).isFalse();
  }

  private static SandboxStatus status(Optional<SandboxLevel> level) {
    return new SandboxStatus(level, "", Optional.empty());
  }
}
