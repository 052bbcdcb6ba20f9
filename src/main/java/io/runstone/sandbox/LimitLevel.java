package io.runstone.sandbox;

/** By what {@link ResourceLimits} are enforced, strongest first; immutable. */
public enum LimitLevel {
  /** By a control group of version 2 for each sandbox. */
  CGROUP_V2("cgroup v2"),
  /** By control groups of version 1 for each sandbox. */
  CGROUP_V1("cgroup v1"),
  /** Not at all; what bounds single processes is the program's own affair. */
  RLIMITS_ONLY("rlimits only");

  private final String label;

  LimitLevel(String label) {
    this.label = label;
  }

  /** The level's name as it is shown. */
  public String label() {
    return label;
  }
}
