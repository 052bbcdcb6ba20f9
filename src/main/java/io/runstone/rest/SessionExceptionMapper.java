package io.runstone.rest;

import io.runstone.session.SessionException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Answers what the session layer refused. Stateless. */
@Provider
public class SessionExceptionMapper implements ExceptionMapper<SessionException> {
  @Override
  public Response toResponse(SessionException failure) {
    return ErrorAnswer.of(failure).response();
  }
}
