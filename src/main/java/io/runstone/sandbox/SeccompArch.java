package io.runstone.sandbox;

import java.util.Optional;

/** A machine the filter can be compiled for; immutable. */
enum SeccompArch {
  X86_64(2, 0xC000003E, true),
  AARCH64(3, 0xC00000B7, false);

  private final int column;
  private final int audit;
  private final boolean x32;

  SeccompArch(int column, int audit, boolean x32) {
    this.column = column;
    this.audit = audit;
    this.x32 = x32;
  }

  /** For a value of the system property {@code os.arch}; empty when there is no table for it. */
  static Optional<SeccompArch> of(String osArch) {
    return switch (osArch) {
      case "amd64", "x86_64" -> Optional.of(X86_64);
      case "aarch64" -> Optional.of(AARCH64);
      default -> Optional.empty();
    };
  }

  /** Which column of {@code seccomp.table} has its numbers, from 0. */
  int column() {
    return column;
  }

  /** The kernel's {@code AUDIT_ARCH_*} number. */
  int audit() {
    return audit;
  }

  /** Whether calls of the x32 ABI arrive under the same audit number, told apart by a bit. */
  boolean hasX32() {
    return x32;
  }
}
