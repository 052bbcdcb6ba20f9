package io.runstone.rest;

import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.MediaTypes;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.session.SessionManager;
import io.runstone.session.StoredOutput;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * Gives the outputs of past executions that results have links to: {@code
 * /v1/executions/{id}/outputs/{n}}.
 */
@Path("/v1/executions/{id}/outputs/{n: [0-9]{1,6}}")
@RequestScoped
public class OutputsResource {
  @Inject private SessionManager sessions;
  @Inject private Caller caller;
  @Inject private Challenge challenge;

  /** Gives one output with its media type; 404 when it was never there, or is kept no longer. */
  @GET
  public Response output(@PathParam("id") String id, @PathParam("n") int number)
      throws IOException {
    Requester requester = caller.requester();
    challenge.check(requester, Set.of(Scope.EXECUTE), "");
    StoredOutput output =
        sessions
            .output(requester.user(), new ExecutionId(id), number)
            .orElseThrow(() -> new NotFoundException("there is no such output, or not any more"));
    InputStream content = output.open();
    StreamingOutput body =
        out -> {
          try (content) {
            content.transferTo(out);
          }
        };
    String charset = MediaTypes.isBinary(output.mediaType()) ? "" : ";charset=UTF-8";
    // It is what untrusted code made: a browser must neither guess its type nor run it.
    return Response.ok(body)
        .header("Content-Type", output.mediaType() + charset)
        .header("Content-Length", output.size())
        .header("X-Content-Type-Options", "nosniff")
        .header("Content-Security-Policy", "default-src 'none'; sandbox")
        .header("Cache-Control", "private, no-store")
        .build();
  }
}
