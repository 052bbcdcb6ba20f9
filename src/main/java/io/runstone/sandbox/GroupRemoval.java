package io.runstone.sandbox;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Removes the control groups of sandboxes that were told to end, once their processes have, without
 * waiting for them. Confined to the launch thread.
 */
final class GroupRemoval {
  /** Between two attempts. */
  static final Duration PAUSE = Duration.ofMillis(5);

  private static final Logger LOG = System.getLogger(GroupRemoval.class.getName());
  private static final Duration AT_THE_END = Duration.ofSeconds(1);
  private static final Duration KILL_AFTER = Duration.ofMillis(500);
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);

  private static final class Waiting {
    private final ControlGroup group;
    private final long since = System.nanoTime();
    private boolean killed;

    private Waiting(ControlGroup group) {
      this.group = group;
    }

    private boolean longerThan(Duration time) {
      return System.nanoTime() - since > time.toNanos();
    }
  }

  private final List<Waiting> groups = new ArrayList<>();

  void add(ControlGroup group) {
    groups.add(new Waiting(group));
  }

  /** Removes, at once or later, the groups of servers that could not do it themselves. */
  void addLeftOvers(ControlGroups all) {
    try {
      all.removeLeftOvers().forEach(this::add);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot look for control groups that a killed server left", e);
    }
  }

  /** Removes those that can be removed; returns whether any is left. */
  boolean attempt() {
    for (Iterator<Waiting> all = groups.iterator(); all.hasNext(); ) {
      Waiting next = all.next();
      if (next.group.remove()) {
        all.remove();
      } else if (!next.killed && next.longerThan(KILL_AFTER)) {
        // Everything inside was killed: whoever is still there has come to be outside of it.
        next.group.killMembers();
        next.killed = true;
      } else if (next.longerThan(GIVE_UP_AFTER)) {
        LOG.log(Level.WARNING, "{0}: the control group could not be removed", next.group);
        all.remove();
      }
    }
    return !groups.isEmpty();
  }

  /**
   * Removes the rest, and waits for it at most 1 s.
   *
   * @param complete adds what there is, and tells whether no more will come
   */
  void finish(BooleanSupplier complete) {
    boolean interrupted = Thread.interrupted();
    long end = System.nanoTime() + AT_THE_END.toNanos();
    boolean more = true;
    while (more && System.nanoTime() < end) {
      boolean all = complete.getAsBoolean();
      more = attempt() || !all;
      if (more) {
        LockSupport.parkNanos(PAUSE.toNanos());
        interrupted |= Thread.interrupted();
      }
    }
    groups.forEach(
        left -> LOG.log(Level.WARNING, "{0}: left to the next start to remove", left.group));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
