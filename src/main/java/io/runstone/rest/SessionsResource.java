package io.runstone.rest;

import io.runstone.config.Settings;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.session.SessionException;
import io.runstone.session.SessionException.Category;
import io.runstone.session.SessionId;
import io.runstone.session.SessionManager;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts, shows and stops the caller's named sessions: {@code /v1/sessions/session}. */
@Path("/v1/sessions/session")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class SessionsResource {
  @Inject private SessionManager sessions;
  @Inject private Caller caller;
  @Inject private Challenge challenge;
  @Inject private Settings settings;
  @Inject private Answers answers;

  /** Starts a session; without a {@code session_id}, or without a body, its id is generated. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public void start(InputStream body, @Suspended AsyncResponse answer) {
    answers.send(
        answer,
        () -> sessions.start(requester(), read(body).text("session_id").map(SessionId::new)),
        session -> JsonAnswer.response(201, SessionJson.active(session)).build(),
        problem -> ErrorAnswer.of(problem).response());
  }

  /** Shows one session, or all of the caller's. */
  @GET
  public Response show(@QueryParam("session_id") @Nullable String sessionId) {
    if (sessionId == null) {
      return JsonAnswer.response(200, SessionJson.list(sessions.list(requester().user()))).build();
    }
    return sessions
        .find(requester().user(), new SessionId(sessionId))
        .map(session -> JsonAnswer.response(200, SessionJson.active(session)).build())
        .orElseThrow(
            () ->
                new SessionException(
                    Category.UNKNOWN,
                    "there is no session with this session_id; list your sessions"));
  }

  /** Stops a session, named in the query or in the body; answers when its id and slot are free. */
  @DELETE
  public void stop(
      @QueryParam("session_id") @Nullable String sessionId,
      InputStream body,
      @Suspended AsyncResponse answer) {
    answers.send(
        answer,
        () -> sessions.stop(requester(), named(sessionId, read(body).text("session_id"))),
        session -> JsonAnswer.response(200, SessionJson.stopped(session)).build(),
        problem -> ErrorAnswer.of(problem).response());
  }

  /** Interrupts the code that runs in a session; its own answer says what became of it. */
  @POST
  @Path("interrupt")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response interrupt(@QueryParam("session_id") @Nullable String sessionId, InputStream body)
      throws IOException {
    SessionId id = named(sessionId, read(body).text("session_id"));
    boolean running = sessions.interrupt(requester(), id);
    return JsonAnswer.response(
            200,
            JsonAnswer.object()
                .add("session_id", id.value())
                .add("status", "active")
                .add("interrupted", running)
                .build())
        .build();
  }

  /** Gives a session a fresh Python; answers when it runs. */
  @POST
  @Path("restart")
  @Consumes(MediaType.APPLICATION_JSON)
  public void restart(
      @QueryParam("session_id") @Nullable String sessionId,
      InputStream body,
      @Suspended AsyncResponse answer) {
    answers.send(
        answer,
        () -> sessions.restart(requester(), named(sessionId, read(body).text("session_id"))),
        session -> JsonAnswer.response(200, SessionJson.active(session)).build(),
        problem -> ErrorAnswer.of(problem).response());
  }

  private Requester requester() {
    Requester requester = caller.requester();
    challenge.check(requester, Set.of(Scope.SESSIONS), "");
    return requester;
  }

  private JsonRequest read(InputStream body) throws IOException {
    return JsonRequest.read(body, settings.http());
  }

  /** The id that a request names, in one of two places or the same in both. */
  static SessionId named(@Nullable String inQuery, Optional<String> inBody) {
    if (inQuery != null && inBody.isPresent() && !inBody.orElseThrow().equals(inQuery)) {
      throw JsonRequest.bad("the query and the body name different sessions; send one session_id");
    }
    return Optional.ofNullable(inQuery)
        .or(() -> inBody)
        .map(SessionId::new)
        .orElseThrow(
            () -> JsonRequest.bad("send the session_id to stop, in the query or the JSON body"));
  }
}
