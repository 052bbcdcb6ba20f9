package io.runstone.security.audit;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What keeps the lines of a log. Used by one thread at a time; every method may block. */
interface LineStore extends Closeable {
  /**
   * Gets ready to write, again after a failure.
   *
   * @return what had to be mended, in words for the log
   */
  Optional<String> open() throws IOException;

  /**
   * Writes lines, all or none: after a failure it has to be opened again, and what was written of
   * them is taken back then.
   */
  void write(List<AuditEvent> events) throws IOException;
}
