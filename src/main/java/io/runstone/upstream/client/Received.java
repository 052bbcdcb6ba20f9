package io.runstone.upstream.client;

import java.time.Duration;
import java.util.Optional;

/** What the body of an answer was. */
sealed interface Received {

  /** A document. Immutable, as nobody writes to the bytes. */
  final class Whole implements Received {
    private final boolean json;
    private final byte[] bytes;

    /**
     * Creates it.
     *
     * @param json whether it says that it is JSON
     * @param bytes the beginning only, if it is no answer to a message
     */
    Whole(boolean json, byte[] bytes) {
      this.json = json;
      this.bytes = bytes;
    }

    boolean isJson() {
      return json;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  /**
   * A stream of events.
   *
   * @param lastId where it could be taken up again; may be empty
   * @param retry when the server wants that
   */
  record Streamed(String lastId, Optional<Duration> retry) implements Received {}
}
