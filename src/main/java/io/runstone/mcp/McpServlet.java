package io.runstone.mcp;

import io.runstone.http.Exchange;
import io.runstone.mcp.legacy.LegacyEndpoint;
import io.runstone.mcp.modern.ModernEndpoint;
import io.runstone.mcp.wire.RequestChecks;
import io.runstone.mcp.wire.RequestHead;
import io.runstone.mcp.wire.RpcErrors;
import io.runstone.mcp.wire.RpcException;
import io.runstone.mcp.wire.RpcMessage;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * The MCP endpoint, Streamable HTTP of every revision: {@code POST} takes messages; {@code GET} and
 * {@code DELETE} exist in the revisions with sessions only. A container thread takes what a request
 * says before its body; from then on the request is an {@link Exchange}. Thread-safe.
 */
public final class McpServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient McpEndpoint endpoint;
  private final transient Caller caller;
  private final transient Challenge challenge;

  /** Creates the servlet over the endpoint whose face it is. */
  public McpServlet(McpEndpoint endpoint, Caller caller, Challenge challenge) {
    this.endpoint = endpoint;
    this.caller = caller;
    this.challenge = challenge;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      RequestHead head = RequestHead.of(caller.requester(), request);
      switch (request.getMethod()) {
        case "POST" -> {
          RequestChecks.checkPost(request);
          post(head, endpoint.exchanges().start(request, response));
        }
        case "GET" -> {
          RequestChecks.checkGet(request);
          checkHasSessions(head);
          endpoint.count(head.requester().user());
          listen(head, endpoint.exchanges().start(request, response));
        }
        case "DELETE" -> {
          checkHasSessions(head);
          endpoint.legacy().delete(head);
          response.setStatus(HttpServletResponse.SC_OK);
        }
        default ->
            throw new RpcException(
                405, RpcException.INVALID_REQUEST, "the MCP endpoint takes POST, GET and DELETE");
      }
    } catch (RpcException e) {
      RpcErrors.write(response, e, endpoint.json());
    }
  }

  private static void checkHasSessions(RequestHead head) throws RpcException {
    if (head.version().isPresent()
        && head.version().orElseThrow().compareTo(ModernEndpoint.VERSION) >= 0) {
      throw new RpcException(
          405, RpcException.INVALID_REQUEST, "this protocol version has no sessions; send POST");
    }
  }

  private void post(RequestHead head, Exchange exchange) {
    exchange
        .body()
        .whenComplete(
            (body, failure) -> {
              if (failure == null) {
                take(head, exchange, body);
              } else {
                refuse(exchange, Optional.empty(), failure);
              }
            });
  }

  private void take(RequestHead head, Exchange exchange, byte[] body) {
    Optional<Object> id = Optional.empty();
    try {
      RpcMessage message = RpcMessage.parse(body, endpoint.json());
      id = message.id();
      if (isCounted(message)) {
        endpoint.count(head.requester().user());
      }
      challenge.check(head.requester(), endpoint.requiredScopes().of(message), Challenge.MCP);
      if (isModern(head, message)) {
        endpoint.modern().post(head, exchange, message);
      } else {
        endpoint.legacy().post(head, exchange, message);
      }
    } catch (RpcException | RuntimeException e) {
      refuse(exchange, id, e);
    }
  }

  /** Tools count for themselves, and what calls a call off has to get through. */
  private static boolean isCounted(RpcMessage message) {
    return message.id().isPresent() && !message.method().equals("tools/call");
  }

  /**
   * A request that names its version in its own metadata stands for itself; so does one whose
   * header names a version that has no sessions. {@code initialize} asks for a session.
   */
  private static boolean isModern(RequestHead head, RpcMessage message) {
    if (message.meta().containsKey(ModernEndpoint.VERSION_KEY)) {
      return true;
    } else if (message.method().equals("initialize")) {
      return false;
    }
    return head.version().isPresent()
        ? !LegacyEndpoint.VERSIONS.contains(head.version().orElseThrow())
        : !head.methods().isEmpty() && head.sessionId().isEmpty();
  }

  private void listen(RequestHead head, Exchange exchange) {
    try {
      endpoint.legacy().listen(head, exchange);
    } catch (RpcException | RuntimeException e) {
      refuse(exchange, Optional.empty(), e);
    }
  }

  private void refuse(Exchange exchange, Optional<Object> id, Throwable failure) {
    RpcErrors.answer(exchange, id, RpcErrors.of(failure), endpoint.json());
  }
}
