package io.runstone.session;

/** Something an administrator may want to know at once. */
public sealed interface SessionEvent {
  /** The session concerned, or the one that was refused. */
  SessionKey key();

  /** A session's kernel runs. */
  record Started(SessionKey key) implements SessionEvent {}

  /** A session has ended and its slot is free. */
  record Stopped(SessionKey key, StopReason reason) implements SessionEvent {}

  /** A session's Python died, with its variables. */
  record KernelDied(SessionKey key) implements SessionEvent {}

  /** A request was refused because of a limit. */
  record LimitReached(SessionKey key, SessionException.Category limit) implements SessionEvent {}
}
