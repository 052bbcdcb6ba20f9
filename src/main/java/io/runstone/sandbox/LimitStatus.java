package io.runstone.sandbox;

import java.util.Optional;

/**
 * Which limits are in force for whole sandboxes, for health, JMX and the console; immutable.
 *
 * @param level what enforces them
 * @param detail what was tried and seen, one line, no secrets
 * @param cure a sentence for the administrator, present when more could be had
 */
public record LimitStatus(LimitLevel level, String detail, Optional<String> cure) {
  /** Whether the memory of a whole sandbox is limited. */
  public boolean groups() {
    return level != LimitLevel.RLIMITS_ONLY;
  }
}
