package io.runstone.rest;

import io.runstone.concurrent.Causes;
import io.runstone.config.Settings;
import io.runstone.http.Exchange;
import io.runstone.http.Exchanges;
import io.runstone.http.ResponseStream.Ending;
import io.runstone.kernel.Cancellation;
import io.runstone.kernel.OutputListener;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import io.runstone.security.InsufficientScopeException;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.session.SessionManager;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Runs code: {@code POST /execute}. Thread-safe.
 *
 * <p>A servlet, because JAX-RS can't begin an answer before it is known. Once a cell has run for
 * five seconds the answer begins with white space, which JSON allows before a value: so no proxy
 * takes the connection for dead, and a client that went away is noticed and its cell interrupted.
 */
@WebServlet(urlPatterns = "/execute", asyncSupported = true)
public class ExecuteServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String JSON = "application/json";
  private static final long PATIENCE_MILLIS = 5000;

  @Inject private transient SessionManager sessions;
  @Inject private transient Caller caller;
  @Inject private transient Challenge challenge;
  @Inject private transient Settings settings;
  @Inject private transient Exchanges exchanges;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "POST");
      ServletJson.write(response, 405, ErrorAnswer.ofStatus(405).body());
    } else if (!Exchange.hasContentType(request, JSON)) {
      ServletJson.write(response, 415, ErrorAnswer.ofStatus(415).body());
    } else if (!Exchange.accepts(request, JSON)) {
      ServletJson.write(response, 406, ErrorAnswer.ofStatus(406).body());
    } else {
      begin(request, response);
    }
  }

  private void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Requester requester = caller.requester();
    try {
      challenge.check(requester, Set.of(Scope.EXECUTE), "");
    } catch (InsufficientScopeException e) {
      response.setHeader("WWW-Authenticate", e.challenge());
      ServletJson.write(response, 403, ErrorAnswer.of(e).body());
      return;
    }
    execute(requester, exchanges.start(request, response));
  }

  private void execute(Requester requester, Exchange exchange) {
    Cancellation cancellation = new Cancellation();
    PatientAnswer answer = new PatientAnswer(exchange, settings.execution().watchInterval());
    exchange.stream()
        .whenEnded()
        .thenAccept(
            ending -> {
              if (ending == Ending.BROKEN) {
                cancellation.cancel(", for its client went away");
              }
            });
    exchange
        .body()
        .thenCompose(
            body -> {
              var waiting =
                  exchanges.timer().schedule(answer::begin, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
              return run(requester, body, cancellation)
                  .whenComplete((json, failure) -> waiting.cancel(false));
            })
        .whenComplete(
            (json, failure) -> {
              if (failure == null) {
                answer.end(200, json);
              } else {
                answer.end(failure(failure));
              }
            });
  }

  private CompletionStage<byte[]> run(Requester requester, byte[] body, Cancellation cancellation) {
    ExecuteCall call = ExecuteCall.from(JsonRequest.parse(body));
    return sessions
        .execute(requester, call.order(cancellation), OutputListener.NONE)
        .thenApply(result -> JsonAnswer.bytes(ExecutionJson.of(result, call.sessionId())));
  }

  private static ErrorAnswer failure(Throwable failure) {
    return ErrorAnswer.of(Causes.of(failure));
  }
}
