package io.runstone.session;

/** Hears what happens to sessions; called without locks, must return soon and not throw. */
@FunctionalInterface
public interface SessionListener {
  /** Takes an event. */
  void onEvent(SessionEvent event);
}
