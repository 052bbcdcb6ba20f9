package io.runstone.sandbox;

/** What becomes of a system call; immutable. */
enum SeccompAction {
  ALLOW(0x7FFF0000),
  KILL(0x80000000),
  EPERM(0x00050000 | 1),
  ENOSYS(0x00050000 | 38),
  EAFNOSUPPORT(0x00050000 | 97);

  private final int code;

  SeccompAction(int code) {
    this.code = code;
  }

  /** The kernel's {@code SECCOMP_RET_*} value. */
  int code() {
    return code;
  }
}
