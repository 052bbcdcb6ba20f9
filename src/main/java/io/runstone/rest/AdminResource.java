package io.runstone.rest;

import io.runstone.config.Settings;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.session.SessionManager;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What an administrator does over HTTP: {@code POST /v1/admin/suspend} and {@code
 * /v1/admin/resume}. Needs the scope {@code runstone:admin}, which nobody has without a login.
 */
@Path("/v1/admin")
@RequestScoped
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class AdminResource {
  private static final double LONGEST_SECONDS = 1e6;

  @Inject private SessionManager sessions;
  @Inject private Caller caller;
  @Inject private Challenge challenge;
  @Inject private Settings settings;

  /**
   * Takes no more work; what runs may end, and is interrupted after {@code timeout} seconds, or the
   * configured time.
   */
  @POST
  @Path("suspend")
  public Response suspend(InputStream body) throws IOException {
    Requester administrator = check();
    OptionalDouble seconds = JsonRequest.read(body, settings.http()).number("timeout");
    if (seconds.isPresent() && !(seconds.orElseThrow() >= 0)) {
      throw JsonRequest.bad("timeout must be a number of seconds, 0 or more");
    }
    sessions.suspend(
        Optional.of(administrator),
        seconds.isPresent()
            ? Duration.ofMillis((long) (Math.min(seconds.orElseThrow(), LONGEST_SECONDS) * 1000))
            : settings.sessions().drainTimeout());
    return status();
  }

  /** Takes work again. */
  @POST
  @Path("resume")
  public Response resume() {
    sessions.resume(Optional.of(check()));
    return status();
  }

  private Requester check() {
    Requester requester = caller.requester();
    challenge.check(requester, Set.of(Scope.ADMIN), "");
    return requester;
  }

  private Response status() {
    return JsonAnswer.response(
            200, JsonAnswer.object().add("suspended", sessions.isSuspended()).build())
        .build();
  }
}
