package io.runstone.session;

/** Why a session ended. */
public enum StopReason {
  /** Its user asked for it, or the one execution it was for is over. */
  REQUESTED,
  /** An administrator asked for it. */
  ADMINISTRATOR,
  /** It was not used for the idle timeout. */
  IDLE,
  /** It reached its maximum age. */
  LIFETIME,
  /** Its kernel could not be started. */
  START_FAILED,
  /** The server or the application is stopping. */
  SHUTDOWN
}
