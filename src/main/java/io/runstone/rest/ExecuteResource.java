package io.runstone.rest;

import io.runstone.config.Settings;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.OutputListener;
import io.runstone.security.Caller;
import io.runstone.session.SessionId;
import io.runstone.session.SessionManager;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.Optional;

/** Runs code: {@code POST /execute}. */
@Path("/execute")
@RequestScoped
public class ExecuteResource {
  @Inject private SessionManager sessions;
  @Inject private Caller caller;
  @Inject private Settings settings;
  @Inject private Answers answers;

  /** What has run, and where. */
  private record Ran(ExecutionResult result, Optional<SessionId> sessionId) {}

  /**
   * Runs code in a session, or in a clean kernel when none is named. There is no JAX-RS timeout:
   * the execution has its own, and waiting in the session's queue has no other bound than that of
   * the executions before it.
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public void execute(InputStream body, @Suspended AsyncResponse answer) {
    answers.send(
        answer,
        () -> {
          ExecuteCall call =
              ExecuteCall.from(JsonRequest.read(body, settings.http().maxBodyBytes()));
          return sessions
              .execute(caller.user(), call.order(), OutputListener.NONE)
              .thenApply(result -> new Ran(result, call.sessionId()));
        },
        ran -> JsonAnswer.response(200, ExecutionJson.of(ran.result(), ran.sessionId())).build(),
        ExecuteResource::failure);
  }

  /** With {@code stderr} too, for clients that look at nothing else. */
  private static Response failure(Throwable problem) {
    ErrorAnswer error = ErrorAnswer.of(problem);
    return error.response(
        JsonAnswer.object(error.body()).add("stderr", error.error() + "\n").build());
  }
}
