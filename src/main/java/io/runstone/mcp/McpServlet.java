package io.runstone.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpSchema;
import io.runstone.http.RequestBody;
import io.runstone.security.Caller;
import io.runstone.security.UserId;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The MCP endpoint, Streamable HTTP transport of the revisions 2025-03-26 to 2025-11-25: {@code
 * POST} takes messages, {@code GET} opens a stream for what the server has to say, {@code DELETE}
 * ends a session. A container thread reads and checks a request; from then on the request lives in
 * an {@link SseStream}. Thread-safe.
 */
public final class McpServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger(McpServlet.class.getName());

  private final transient McpEndpoint endpoint;
  private final transient Caller caller;

  /** Creates the servlet over the endpoint whose face it is. */
  public McpServlet(McpEndpoint endpoint, Caller caller) {
    this.endpoint = endpoint;
    this.caller = caller;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      switch (request.getMethod()) {
        case "POST" -> post(request, response);
        case "GET" -> get(request, response);
        case "DELETE" -> delete(request, response);
        default -> {
          response.setHeader("Allow", "GET, POST, DELETE");
          throw new RpcException(
              405, RpcException.INVALID_REQUEST, "the MCP endpoint takes POST, GET and DELETE");
        }
      }
    } catch (RpcException e) {
      RpcErrors.write(response, e, endpoint.json());
    } catch (RequestBody.TooLargeException e) {
      RpcErrors.write(
          response,
          new RpcException(413, RpcException.INVALID_REQUEST, String.valueOf(e.getMessage())),
          endpoint.json());
    } catch (RequestBody.BusyException e) {
      response.setHeader("Retry-After", "1");
      RpcErrors.write(
          response,
          new RpcException(503, RpcException.INTERNAL_ERROR, String.valueOf(e.getMessage())),
          endpoint.json());
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a request to the MCP endpoint failed", e);
      RpcErrors.write(
          response,
          new RpcException(500, RpcException.INTERNAL_ERROR, "internal error"),
          endpoint.json());
    }
  }

  private void post(HttpServletRequest request, HttpServletResponse response)
      throws IOException, RpcException {
    RequestChecks.checkPost(request);
    UserId user = caller.user();
    byte[] body = RequestBody.read(request.getInputStream(), endpoint.maxBodyBytes());
    McpSchema.JSONRPCMessage message = RpcMessages.parse(body, endpoint.json());
    if (message instanceof McpSchema.JSONRPCRequest call
        && call.method().equals(McpSchema.METHOD_INITIALIZE)) {
      initialize(request, response, user, call);
      return;
    }
    BoundSession session = endpoint.sessions().find(user, RequestChecks.sessionId(request));
    if (message instanceof McpSchema.JSONRPCRequest call) {
      SseStream stream = open(request, response);
      session
          .sdk()
          .responseStream(new CallTransport(stream))
          .handle(call)
          .contextWrite(context -> context.put(McpTransportContext.KEY, transportContext(user)))
          .subscribe(done -> {}, failure -> refuse(stream, call), stream::close);
    } else if (message instanceof McpSchema.JSONRPCNotification notification) {
      if (RpcMessages.isUnderstood(notification)) {
        accept(session.sdk().accept(notification), user);
      }
      response.setStatus(HttpServletResponse.SC_ACCEPTED);
    } else if (message instanceof McpSchema.JSONRPCResponse answer) {
      accept(session.sdk().accept(answer), user);
      response.setStatus(HttpServletResponse.SC_ACCEPTED);
    }
  }

  /** A call that the SDK could not even read is answered all the same, or its client would wait. */
  private static void refuse(SseStream stream, McpSchema.JSONRPCRequest call) {
    stream
        .sendMessage(
            McpSchema.JSONRPCResponse.error(
                call.id(),
                new McpSchema.JSONRPCResponse.JSONRPCError(
                    RpcException.INVALID_PARAMS, "the params are not those of " + call.method())))
        .subscribe();
    stream.close();
  }

  private static void accept(Mono<Void> accepted, UserId user) {
    accepted
        .contextWrite(context -> context.put(McpTransportContext.KEY, transportContext(user)))
        .subscribe(
            done -> {},
            failure -> LOG.log(System.Logger.Level.DEBUG, "a notification was not understood"));
  }

  private void initialize(
      HttpServletRequest request,
      HttpServletResponse response,
      UserId user,
      McpSchema.JSONRPCRequest call)
      throws IOException, RpcException {
    McpSessions.Opened opened =
        endpoint.sessions().open(user, RpcMessages.initializeRequest(call, endpoint.json()));
    response.setHeader("Mcp-Session-Id", opened.session().id().value());
    SseStream stream = open(request, response);
    opened
        .result()
        .map(result -> McpSchema.JSONRPCResponse.result(call.id(), result))
        .flatMap(stream::sendMessage)
        .subscribe(done -> {}, failure -> refuse(stream, call), stream::close);
  }

  private void get(HttpServletRequest request, HttpServletResponse response)
      throws IOException, RpcException {
    RequestChecks.checkGet(request);
    BoundSession session =
        endpoint.sessions().find(caller.user(), RequestChecks.sessionId(request));
    SseStream stream = open(request, response);
    stream.comment(); // commits the response: the client waits for its head
    var listening = session.sdk().listeningStream(stream);
    stream.whenEnded().thenRun(listening::releaseTransport);
  }

  private void delete(HttpServletRequest request, HttpServletResponse response)
      throws RpcException {
    RequestChecks.checkVersion(request);
    endpoint
        .sessions()
        .end(endpoint.sessions().find(caller.user(), RequestChecks.sessionId(request)));
    response.setStatus(HttpServletResponse.SC_OK);
  }

  /** Starts the response as an event stream that outlives this thread. */
  private SseStream open(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType("text/event-stream");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.setHeader("Cache-Control", "no-cache");
    return endpoint.openStream(request.startAsync(), response.getOutputStream());
  }

  private static McpTransportContext transportContext(UserId user) {
    return McpTransportContext.create(Map.of(McpEndpoint.USER, user));
  }
}
