package io.runstone.rest;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Answers every failure that is not JAX-RS's own, in JSON and without internals. Stateless. */
@Provider
public class FailureMapper implements ExceptionMapper<Throwable> {
  @Override
  public Response toResponse(Throwable failure) {
    return ErrorAnswer.of(failure).response();
  }
}
