package io.runstone.kernel;

import java.net.URI;
import java.util.Optional;

/** What the host says to a {@link HostCall}. Immutable. */
public sealed interface HostReply {

  /**
   * What was asked for.
   *
   * @param json JSON text
   */
  record Answer(String json) implements HostReply {
    /** Leaves the answer out, for it belongs in no log. */
    @Override
    public String toString() {
      return "Answer[" + json.length() + " characters]";
    }
  }

  /**
   * It was not done, or is not known to have been.
   *
   * @param kind a word for programs
   * @param message for the caller; tells the cure
   * @param link where the user can put it right
   */
  record Refusal(String kind, String message, Optional<URI> link) implements HostReply {
    /** One that no link helps with. */
    public Refusal(String kind, String message) {
      this(kind, message, Optional.empty());
    }
  }
}
