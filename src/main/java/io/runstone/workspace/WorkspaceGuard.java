package io.runstone.workspace;

import io.runstone.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Watches the space that one workspace takes, for one session. Measuring walks the files, so it is
 * done when a cell is to run and the last time is a while ago. Used by one thread at a time.
 */
public final class WorkspaceGuard {
  private static final System.Logger LOG = System.getLogger(WorkspaceGuard.class.getName());
  private static final Duration MEASURE_AFTER = Duration.ofSeconds(2);
  private static final int MAX_ENTRIES = 200_000;

  private final Settings.Workspace settings;
  private final Clock clock;
  private Instant measuredAt = Instant.EPOCH;
  private boolean overQuota;

  /** Creates a guard that has not looked yet. */
  public WorkspaceGuard(Settings.Workspace settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** Whether the disk has as much free space as it has to have for code to be run. */
  public boolean hasRoom(Path workspace) {
    try {
      return WorkspaceUsage.freeBytes(workspace) >= settings.minFreeBytes();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a workspace can't be looked at", e);
      return false;
    }
  }

  /** Whether the workspace holds more than it may; one with too many files to count does. */
  public boolean isOverQuota(Path workspace) {
    Instant now = clock.instant();
    if (now.isAfter(measuredAt.plus(MEASURE_AFTER)) || overQuota) {
      measuredAt = now;
      overQuota = measure(workspace);
    }
    return overQuota;
  }

  private boolean measure(Path workspace) {
    try {
      WorkspaceUsage usage = WorkspaceUsage.measure(workspace, MAX_ENTRIES);
      return usage.bytes() > settings.maxBytes()
          || (!usage.complete() && usage.entries() >= MAX_ENTRIES);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a workspace can't be measured", e);
      return true;
    }
  }
}
