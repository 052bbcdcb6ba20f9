package io.runstone.rest;

import io.runstone.http.RequestBody;
import io.runstone.security.InsufficientScopeException;
import io.runstone.session.SessionException;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a failure looks on the wire, the same for every path. Pure, except that what has no category
 * is logged. Immutable.
 *
 * @param status the HTTP status
 * @param error a sentence that says what to do, without internals
 * @param retryAfterSeconds when it may be worth trying again
 * @param challenge which login would help
 */
record ErrorAnswer(
    int status, String error, OptionalInt retryAfterSeconds, Optional<String> challenge) {
  private static final System.Logger LOG = System.getLogger(ErrorAnswer.class.getName());
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int CAUSES_SEARCHED = 8;

  ErrorAnswer(int status, String error) {
    this(status, error, OptionalInt.empty());
  }

  ErrorAnswer(int status, String error, OptionalInt retryAfterSeconds) {
    this(status, error, retryAfterSeconds, Optional.empty());
  }

  /** Says how any failure is answered. */
  static ErrorAnswer of(Throwable failure) {
    Optional<SessionException> known = sessionException(failure);
    if (known.isPresent()) {
      return of(known.orElseThrow());
    } else if (failure instanceof InsufficientScopeException scope) {
      return new ErrorAnswer(
          403,
          String.valueOf(scope.getMessage()),
          OptionalInt.empty(),
          Optional.of(scope.challenge()));
    } else if (failure instanceof RequestBody.BusyException busy) {
      return of(
          new SessionException(
              SessionException.Category.UNAVAILABLE, String.valueOf(busy.getMessage()), busy));
    } else if (failure instanceof RequestBody.TooSlowException tooSlow) {
      return new ErrorAnswer(408, String.valueOf(tooSlow.getMessage()));
    } else if (failure instanceof RequestBody.TooLargeException tooLarge) {
      return new ErrorAnswer(413, String.valueOf(tooLarge.getMessage()));
    } else if (failure instanceof IOException) {
      return new ErrorAnswer(400, "the request body could not be read to its end");
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "a request failed for a reason that is not the client's",
        failure);
    return new ErrorAnswer(500, "the server failed to handle this request; its log says why");
  }

  /** The container and completion stages wrap exceptions in their own. */
  private static Optional<SessionException> sessionException(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_SEARCHED && cause != null; i++) {
      if (cause instanceof SessionException found) {
        return Optional.of(found);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  private static ErrorAnswer of(SessionException failure) {
    String error = String.valueOf(failure.getMessage());
    return switch (failure.category()) {
      case BAD_ID, BAD_REQUEST -> new ErrorAnswer(400, error);
      case UNKNOWN -> new ErrorAnswer(404, error);
      case TAKEN -> new ErrorAnswer(409, error);
      case QUEUE_FULL -> new ErrorAnswer(TOO_MANY_REQUESTS, error, OptionalInt.of(1));
      case QUOTA ->
          new ErrorAnswer(
              TOO_MANY_REQUESTS,
              error,
              OptionalInt.of(
                  (int) failure.retryAfter().map(Duration::toSeconds).orElse(1L).longValue()));
      case USER_LIMIT, NODE_LIMIT, UNAVAILABLE -> new ErrorAnswer(503, error, OptionalInt.of(10));
    };
  }

  /** Says what clients are told about a status that the server itself chose. */
  static ErrorAnswer ofStatus(int status) {
    return new ErrorAnswer(
        status,
        switch (status) {
          case 400 -> "the request is malformed";
          case 401 -> "this server wants to know who you are";
          case 403 -> "this is not allowed";
          case 404 -> "there is nothing at this path";
          case 405 -> "this path does not know this method; the Allow header names those it knows";
          case 406 -> "this path answers application/json; send an Accept header that takes it";
          case 413 -> "the request body is too large";
          case 415 -> "this path takes application/json; send a Content-Type header that says so";
          case 431 -> "the request's headers are too large";
          case 503 -> "the server can't take requests now; try again later";
          default ->
              status < 500
                  ? "the request can't be met"
                  : "the server failed to handle this request; its log says why";
        });
  }

  /** Whether a part of the request may still be on its way, so that no other can follow it. */
  boolean endsConnection() {
    return status == 408 || status == 413 || status == 503;
  }

  /** The body; some clients look for {@code detail} when there are too many requests. */
  JsonObject body() {
    JsonObjectBuilder json = JsonAnswer.object().add("error", error);
    if (status == TOO_MANY_REQUESTS) {
      json.add("detail", error);
    }
    return json.build();
  }

  Response response() {
    return response(body());
  }

  Response response(JsonObject body) {
    Response.ResponseBuilder response = JsonAnswer.response(status, body);
    retryAfterSeconds.ifPresent(seconds -> response.header(HttpHeaders.RETRY_AFTER, seconds));
    challenge.ifPresent(value -> response.header(HttpHeaders.WWW_AUTHENTICATE, value));
    return response.build();
  }
}
