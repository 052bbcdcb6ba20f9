package io.runstone.session;

import java.util.Locale;

/** Why a session ended. */
public enum StopReason {
  /** Its user asked for it, or the one execution it was for is over. */
  REQUESTED,
  /** An administrator asked for it. */
  ADMINISTRATOR,
  /** It was not used for the idle timeout. */
  IDLE,
  /** The server was full, and of the implicit sessions it was the one unused for longest. */
  MADE_ROOM,
  /** It reached its maximum age. */
  LIFETIME,
  /** Its kernel could not be started. */
  START_FAILED,
  /** The server or the application is stopping. */
  SHUTDOWN;

  /** The word for it in the audit log. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
