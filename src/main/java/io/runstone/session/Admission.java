package io.runstone.session;

/** What has to be done with code before it is given to Python. */
interface Admission {
  /** The code waits in a session, and will be run unless something happens. Returns at once. */
  void accepted(SessionKey key);

  /**
   * Waits, on the session's own thread, until the code may be given to Python.
   *
   * @throws SessionException if it may not
   */
  void await();
}
