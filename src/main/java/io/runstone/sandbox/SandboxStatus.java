package io.runstone.sandbox;

import java.util.Optional;

/**
 * What {@link SandboxProbe} found, for health, JMX and the console; immutable.
 *
 * @param level the level that works and is in force, empty when programs must not be run
 * @param detail what was tried and seen, one line, no secrets
 * @param cure a sentence for the administrator, present when something should be changed
 */
public record SandboxStatus(Optional<SandboxLevel> level, String detail, Optional<String> cure) {
  /** Whether a confining level is in force. */
  public boolean confined() {
    return level.filter(found -> found != SandboxLevel.NONE).isPresent();
  }
}
