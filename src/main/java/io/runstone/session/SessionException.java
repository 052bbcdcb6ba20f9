package io.runstone.session;

import jakarta.ejb.ApplicationException;

/**
 * A request about sessions could not be met. The message tells the user what to do; the category
 * tells each surface how its wire says so.
 */
@ApplicationException // or the container would wrap it in an EJBException
public class SessionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Category {
    /** The id is not a session id. */
    BAD_ID,
    /** What is asked for is outside its bounds. */
    BAD_REQUEST,
    /** This user has no such session. */
    UNKNOWN,
    /** This user has a session of that id already. */
    TAKEN,
    /** The user has as many sessions as allowed. */
    USER_LIMIT,
    /** The server runs as many kernels as allowed. */
    NODE_LIMIT,
    /** Too many executions wait in the session. */
    QUEUE_FULL,
    /** This server can't run code, or is shutting down. */
    UNAVAILABLE
  }

  private final Category category;

  /** Creates the exception. */
  public SessionException(Category category, String message) {
    super(message);
    this.category = category;
  }

  /** Creates the exception. */
  public SessionException(Category category, String message, Throwable cause) {
    super(message, cause);
    this.category = category;
  }

  /** Why. */
  public Category category() {
    return category;
  }
}
