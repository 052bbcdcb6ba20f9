package io.runstone.session;

import jakarta.ejb.ApplicationException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    /** The user has used up a quota; {@link #retryAfter} says until when. */
    QUOTA,
    /** Too many executions wait in the session. */
    QUEUE_FULL,
    /** This server can't run code, or is shutting down. */
    UNAVAILABLE
  }

  private final Category category;
  private final @Nullable Duration retryAfter;

  /** Creates the exception. */
  public SessionException(Category category, String message) {
    this(category, message, (Duration) null);
  }

  /** Creates the exception. */
  public SessionException(Category category, String message, Throwable cause) {
    super(message, cause);
    this.category = category;
    this.retryAfter = null;
  }

  /** Creates an exception that says when it may be worth trying again. */
  public SessionException(Category category, String message, @Nullable Duration retryAfter) {
    super(message);
    this.category = category;
    this.retryAfter = retryAfter;
  }

  /** Why. */
  public Category category() {
    return category;
  }

  /** When it may be worth trying again, if that is known. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
