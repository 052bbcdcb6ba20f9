package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeccompFilterTest {
  private static final int X86 = SeccompArch.X86_64.audit();
  private static final int ALLOW = SeccompAction.ALLOW.code();
  private static final int EPERM = SeccompAction.EPERM.code();
  private static final int NO_FAMILY = SeccompAction.EAFNOSUPPORT.code();

  private static SeccompTable table() {
    return SeccompTable.parse(
        new String(LaunchDirectory.resource("seccomp.table"), StandardCharsets.UTF_8));
  }

  private static BpfMachine compiled(String table) {
    return new BpfMachine(SeccompFilter.compile(SeccompTable.parse(table), SeccompArch.X86_64));
  }

  @ParameterizedTest
  @EnumSource(SeccompArch.class)
  void everyUnconditionalRuleHolds(SeccompArch arch) {
    BpfMachine machine = new BpfMachine(SeccompFilter.compile(table(), arch));
    for (SeccompRule rule : table().rules()) {
      Integer number = rule.numbers().get(arch);
      if (number != null && rule.conditions().isEmpty()) {
        assertThat(machine.run(arch.audit(), number))
            .as(rule.name())
            .isEqualTo(rule.action().code());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(SeccompArch.class)
  void everyOtherCallIsAllowed(SeccompArch arch) {
    BpfMachine machine = new BpfMachine(SeccompFilter.compile(table(), arch));
    var named =
        table().rules().stream()
            .map(rule -> rule.numbers().getOrDefault(arch, -1))
            .collect(Collectors.toSet());
    assertThat(IntStream.range(0, 600).filter(number -> !named.contains(number)))
        .allMatch(number -> machine.run(arch.audit(), number, -1, -1, -1) == ALLOW);
  }

  @ParameterizedTest
  @EnumSource(SeccompArch.class)
  void fitsTheKernelsLimit(SeccompArch arch) {
    assertThat(SeccompFilter.compile(table(), arch).length / 8).isLessThan(4096);
  }

  @Test
  void anotherAbiIsKilled() {
    BpfMachine machine = compiled("");
    assertThat(machine.run(0x40000003, 1)).isEqualTo(SeccompAction.KILL.code());
    assertThat(machine.run(X86, 0x40000001)).isEqualTo(SeccompAction.KILL.code());
    assertThat(machine.run(X86, -1)).isEqualTo(SeccompAction.KILL.code());
    assertThat(machine.run(X86, 1)).isEqualTo(ALLOW);
  }

  @Test
  void cloneIsDeniedOnlyWithNamespaceFlags() {
    BpfMachine machine = new BpfMachine(SeccompFilter.compile(table(), SeccompArch.X86_64));
    assertThat(machine.run(X86, 56, 0x11)).isEqualTo(ALLOW);
    assertThat(machine.run(X86, 56, 0x3d0f00)).as("a thread").isEqualTo(ALLOW);
    for (int bit : new int[] {17, 25, 26, 27, 28, 29, 30}) {
      assertThat(machine.run(X86, 56, 0x11L | 1L << bit)).as("bit %s", bit).isEqualTo(EPERM);
    }
  }

  @Test
  void argumentsAreComparedByTheirLowerHalf() {
    BpfMachine machine = new BpfMachine(SeccompFilter.compile(table(), SeccompArch.X86_64));
    assertThat(machine.run(X86, 16, 0, 0x5412)).isEqualTo(EPERM);
    assertThat(machine.run(X86, 16, 0, 0xF_0000_5412L)).isEqualTo(EPERM);
    assertThat(machine.run(X86, 16, 0, 0x541c)).isEqualTo(EPERM);
    assertThat(machine.run(X86, 16, 0x5412, 0x5401)).isEqualTo(ALLOW);
  }

  @Test
  void personalityMayBeAskedFor() {
    BpfMachine machine = new BpfMachine(SeccompFilter.compile(table(), SeccompArch.X86_64));
    assertThat(machine.run(X86, 135, 0)).isEqualTo(ALLOW);
    assertThat(machine.run(X86, 135, 0xffffffffL)).isEqualTo(ALLOW);
    assertThat(machine.run(X86, 135, 0x40000)).isEqualTo(EPERM);
  }

  @Test
  void socketsAreOfFourFamilies() {
    BpfMachine machine = new BpfMachine(SeccompFilter.compile(table(), SeccompArch.X86_64));
    for (int family = 0; family < 50; family++) {
      boolean allowed = family == 1 || family == 2 || family == 10 || family == 16;
      assertThat(machine.run(X86, 41, family, 1, 0))
          .as("family %s", family)
          .isEqualTo(allowed ? ALLOW : NO_FAMILY);
    }
    assertThat(machine.run(X86, 41, 16, 3, 9)).as("netlink audit").isEqualTo(NO_FAMILY);
    assertThat(machine.run(X86, 41, 2, 3, 9)).as("internet").isEqualTo(ALLOW);
  }

  @Test
  void theFirstRuleThatFitsCounts() {
    BpfMachine machine =
        compiled("a EPERM 7 - arg0=1,2 arg1&4\na ENOSYS 7 - arg0!=3\nb EPERM 8 -\n");
    assertThat(machine.run(X86, 7, 1, 4)).isEqualTo(EPERM);
    assertThat(machine.run(X86, 7, 2, 6)).isEqualTo(EPERM);
    assertThat(machine.run(X86, 7, 2, 3)).isEqualTo(SeccompAction.ENOSYS.code());
    assertThat(machine.run(X86, 7, 3, 4)).isEqualTo(ALLOW);
    assertThat(machine.run(X86, 8)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mount EPERM 1",
        "mount NOTHING 1 2",
        "mount EPERM one 2",
        "mount EPERM 1 2 arg6=1",
        "mount EPERM 1 2 arg0<1",
        "mount EPERM 1 2 arg0&1,2",
        "mount EPERM 1 2 arg0=",
      })
  void refusesWhatIsNoRule(String line) {
    assertThatThrownBy(() -> SeccompTable.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void knowsTheMachinesOfTheTable() {
    assertThat(SeccompArch.of("amd64")).contains(SeccompArch.X86_64);
    assertThat(SeccompArch.of("aarch64")).contains(SeccompArch.AARCH64);
    assertThat(SeccompArch.of("s390x")).isEmpty();
  }
}
