package io.runstone.rest;

import io.runstone.config.Settings;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.broker.UpstreamControl;
import io.runstone.upstream.pool.SessionView;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;

/**
 * Upstream servers for administrators: {@code GET /v1/admin/upstream}, and {@code POST} to {@code
 * /refresh} and {@code /revoke} below it. Needs the scope {@code runstone:admin}.
 */
@Path("/v1/admin/upstream")
@RequestScoped
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class UpstreamAdminResource {
  @Inject private UpstreamControl upstream;
  @Inject private Caller caller;
  @Inject private Challenge challenge;
  @Inject private Settings settings;

  /** The servers, the sessions with them, and what is wrong with the file that declares them. */
  @GET
  public Response show() {
    check();
    return status();
  }

  /** Reads the file of servers now. */
  @POST
  @Path("refresh")
  public Response refresh() {
    upstream.refresh(Optional.of(check()));
    return status();
  }

  /** Ends the sessions with {@code server}, everybody's or those of {@code user}. */
  @POST
  @Path("revoke")
  public Response revoke(InputStream body) throws IOException {
    Requester administrator = check();
    JsonRequest request = JsonRequest.read(body, settings.http());
    String server = request.text("server").orElse("");
    if (!ServerName.isOne(server)) {
      throw JsonRequest.bad("server must be the name of an upstream server");
    }
    Optional<String> user = request.text("user");
    if (user.isPresent() && !UserId.isOne(user.orElseThrow())) {
      throw JsonRequest.bad("user must be the name of a user");
    }
    int ended = upstream.revoke(Optional.of(administrator), user.map(UserId::new), server);
    return JsonAnswer.response(200, JsonAnswer.object().add("ended", ended).build()).build();
  }

  private Requester check() {
    Requester requester = caller.requester();
    challenge.check(requester, Set.of(Scope.ADMIN), "");
    return requester;
  }

  private Response status() {
    JsonArrayBuilder servers = JsonAnswer.array();
    upstream.servers().forEach(server -> servers.add(json(server)));
    JsonArrayBuilder sessions = JsonAnswer.array();
    upstream.sessions().forEach(session -> sessions.add(json(session)));
    return JsonAnswer.response(
            200,
            JsonAnswer.object()
                .add("servers", servers)
                .add("sessions", sessions)
                .add("trouble", upstream.trouble().orElse(""))
                .build())
        .build();
  }

  private static JsonObject json(UpstreamServer server) {
    return JsonAnswer.object()
        .add("name", server.name().value())
        .add("title", server.title())
        .add("url", server.url().toString())
        .add("login", server.login().label())
        .add("stateless", server.stateless())
        .build();
  }

  private static JsonObject json(SessionView session) {
    return JsonAnswer.object()
        .add("user", session.user().value())
        .add("server", session.server().value())
        .add("owner", session.owner())
        .add("protocol_version", session.protocol())
        .add("running_calls", session.runningCalls())
        .add("idle_seconds", session.idle().toSeconds())
        .build();
  }
}
