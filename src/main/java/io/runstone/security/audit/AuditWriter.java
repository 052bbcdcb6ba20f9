package io.runstone.security.audit;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Brings lines into their store. Used by the log's own thread only. */
final class AuditWriter {
  private static final System.Logger LOG = System.getLogger(AuditWriter.class.getName());
  private static final int BATCH = 256;

  private final LineStore store;
  private final Clock clock;
  private final WriterHealth health;

  /** What the log says about itself, and then the lines; both until they are written. */
  private final List<AuditEvent> notes = new ArrayList<>();

  private final ArrayDeque<AuditEntry> batch = new ArrayDeque<>();

  private boolean open;
  private boolean wasOpen;
  private long lost;

  AuditWriter(LineStore store, Clock clock, WriterHealth health) {
    this.store = store;
    this.clock = clock;
    this.health = health;
  }

  /**
   * Takes lines over, as many as are written at once.
   *
   * @param missed how many found no room since the last time
   */
  void take(Queue<AuditEntry> waiting, long missed) {
    while (batch.size() < BATCH && !waiting.isEmpty()) {
      batch.add(waiting.remove());
    }
    lost += missed;
  }

  /** Writes what was taken. What can't be written is kept, or given up if somebody waits for it. */
  void write() {
    health.begin();
    try {
      open();
      List<AuditEvent> events = new ArrayList<>(notes);
      if (lost > 0) {
        events.add(note("lost", lost + " lines found no room and are missing"));
      }
      batch.forEach(entry -> events.add(entry.event()));
      if (!events.isEmpty()) {
        store.write(events);
      }
      succeeded();
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void open() throws IOException {
    if (!open) {
      store.open().ifPresent(mended -> notes.add(note("mended", mended)));
      open = true;
      if (!wasOpen) {
        wasOpen = true;
        notes.add(note("opened", ""));
      }
    }
  }

  private AuditEvent note(String outcome, String reason) {
    return AuditEvent.log(clock.instant(), outcome, reason);
  }

  private void succeeded() {
    notes.clear();
    lost = 0;
    batch.forEach(AuditEntry::written);
    batch.clear();
    if (health.end(true)) {
      LOG.log(System.Logger.Level.INFO, "the audit log can be written again");
    }
  }

  private void failed(Exception failure) {
    open = false;
    if (health.end(false)) {
      notes.add(note("failed", String.valueOf(failure.getMessage())));
      LOG.log(
          System.Logger.Level.ERROR,
          "the audit log can't be written; it is tried again every second",
          failure);
    }
    batch.removeIf(entry -> entry.giveUp(failure));
  }

  /**
   * Says that the log ends here, and lets go of it.
   *
   * @param left lines that could not be taken any more
   */
  void close(int left) {
    if (!health.isFailing()) {
      notes.add(note("closed", ""));
    }
    write();
    batch.forEach(entry -> entry.giveUp(new IOException("the server is shutting down")));
    if (health.isFailing()) {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0} lines of the audit log are lost",
          lost + batch.size() + left);
    }
    try {
      store.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the audit log could not be closed", e);
    }
  }
}
