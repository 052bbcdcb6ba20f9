package io.runstone.sandbox;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells an administrator what to change; pure and stateless. */
final class SandboxCure {
  private static final String INSTALL =
      "install bubblewrap 0.8 or newer (for example: apt install bubblewrap)";
  private static final String ALLOW_NAMESPACES =
      "let unprivileged users make user namespaces: check the sysctl user.max_user_namespaces and,"
          + " on Debian, kernel.unprivileged_userns_clone; on Ubuntu 24.04 and newer add an AppArmor"
          + " profile with 'userns,' for bwrap; in a container use a seccomp profile that allows"
          + " unshare, clone and mount, and unmask /proc (systempaths=unconfined, procMount:"
          + " Unmasked)";
  private static final String REACHABLE =
      "the server is root without the capability CAP_SYS_ADMIN, so keep the run directory, the"
          + " workspaces and the runner's files where other users can enter (chmod o+x every"
          + " directory above them), or run the server as an ordinary user";
  private static final String ON_PURPOSE =
      ", or set runstone.sandbox=none to run programs without isolation, on purpose";

  private SandboxCure() {}

  /** When nothing works. */
  static String blocked(SandboxMode mode, String detail) {
    if (detail.contains("unshare: unshare failed") || detail.contains("only root can reach")) {
      return REACHABLE;
    }
    if (mode == SandboxMode.NONE) {
      return "remove the reason given, or set runstone.sandbox=auto";
    }
    if (namespacesRefused(detail)) {
      return ALLOW_NAMESPACES + ON_PURPOSE;
    }
    return (bubblewrapMissing(detail) ? INSTALL : "see the reason given for each level")
        + ON_PURPOSE;
  }

  /** When a level works; present if a stronger one could be had. */
  static Optional<String> weaker(SandboxLevel level, List<String> failures) {
    if (level == SandboxLevel.NONE) {
      return Optional.of("programs run without isolation: set runstone.sandbox=auto");
    }
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        bubblewrapMissing(String.join(" ", failures))
            ? INSTALL + "; until then the server's own launcher is used"
            : "see why bubblewrap is not usable; until then the server's own launcher is used");
  }

  private static boolean bubblewrapMissing(String detail) {
    return detail.contains("bwrap was not found") || detail.contains("bwrap: Unknown option");
  }

  private static boolean namespacesRefused(String detail) {
    String text = detail.toLowerCase(Locale.ROOT);
    return text.contains("operation not permitted")
        || text.contains("permission denied")
        || text.contains("no permissions to create")
        || text.contains("no space left on device"); // max_user_namespaces is used up or 0
  }
}
