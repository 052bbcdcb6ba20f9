package io.runstone.rest;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/**
 * Answers in JSON what JAX-RS itself refuses, such as an unknown path; its headers, such as {@code
 * Allow}, stay. Stateless.
 */
@Provider
public class WebApplicationExceptionMapper implements ExceptionMapper<WebApplicationException> {
  @Override
  public Response toResponse(WebApplicationException failure) {
    Response original = failure.getResponse();
    if (original.getStatus() < 400) {
      return original;
    }
    ErrorAnswer error = ErrorAnswer.ofStatus(original.getStatus());
    return Response.fromResponse(original)
        .type(MediaType.APPLICATION_JSON_TYPE)
        .entity(JsonAnswer.bytes(error.body()))
        .build();
  }
}
