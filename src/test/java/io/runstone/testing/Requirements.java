package io.runstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of the machine: absent, it is skipped visibly, or fails where it is required.
 */
public final class Requirements {
  private Requirements() {}

  /**
   * Skips the test if something is missing; fails if {@code runstone.test.require} or the variable
   * {@code RUNSTONE_TEST_REQUIRE} names it.
   */
  public static void need(String what, Optional<String> missing) {
    String variable = Optional.ofNullable(System.getenv("RUNSTONE_TEST_REQUIRE")).orElse("");
    String required = System.getProperty("runstone.test.require", variable);
    if (required.contains(what)) {
      assertThat(missing).as("required: %s", required).isEmpty();
    }
    Assumptions.assumeTrue(
        missing.isEmpty(), () -> "SKIPPED, no " + what + ": " + missing.orElseThrow());
  }
}
