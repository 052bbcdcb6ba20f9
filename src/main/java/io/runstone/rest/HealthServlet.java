package io.runstone.rest;

import io.runstone.kernel.EngineStatus;
import io.runstone.security.audit.AuditState;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionManager;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * Says whether this server can run code: {@code GET /health}, and {@code /health/ready}; whether it
 * has started, and whether it lives. Thread-safe, asks nothing of Python.
 *
 * <p>A servlet, because Payara's MicroProfile answers this path itself at context root {@code /};
 * an exact servlet mapping wins over it.
 */
@WebServlet(
    urlPatterns = {"/health", "/health/live", "/health/ready", "/health/started"},
    asyncSupported = true)
public class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger(HealthServlet.class.getName());

  /** Filled in by Maven. */
  private static final String VERSION_FILE = "/io/runstone/version.properties";

  @Inject private transient SessionManager sessions;

  private String version = "unknown";

  @Override
  public void init() {
    try (InputStream file = HealthServlet.class.getResourceAsStream(VERSION_FILE)) {
      if (file != null) {
        Properties properties = new Properties();
        properties.load(file);
        version = properties.getProperty("version", version);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the version of this application can't be read", e);
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!"GET".equals(request.getMethod()) && !"HEAD".equals(request.getMethod())) {
      response.setHeader("Allow", "GET, HEAD");
      ServletJson.write(response, 405, ErrorAnswer.ofStatus(405).body());
      return;
    }
    response.setHeader("Cache-Control", "no-store");
    String path = request.getServletPath();
    if (path.endsWith("/live")) { // whoever can answer lives
      ServletJson.write(response, 200, status("live"));
      return;
    }
    try {
      EngineStatus engine = sessions.engineStatus();
      if (path.endsWith("/started")) { // asking waits for the probes of sandbox and interpreter
        ServletJson.write(response, 200, status("started"));
      } else if (engine.available() && sessions.isSuspended()) {
        ServletJson.write(response, 503, status("suspended"));
      } else if (engine.available() && sessions.isRefusingUnaudited()) {
        ServletJson.write(response, 503, unaudited(version));
      } else {
        ServletJson.write(response, engine.available() ? 200 : 503, body(engine));
      }
    } catch (RuntimeException e) { // the container refuses the call while it starts or stops
      LOG.log(System.Logger.Level.DEBUG, "health asked while there is no session manager", e);
      ServletJson.write(response, 503, stopping());
    }
  }

  private static JsonObject status(String word) {
    return JsonAnswer.object().add("status", word).build();
  }

  private JsonObject body(EngineStatus engine) {
    return engine.available()
        ? ok(engine, named(), sessions.auditState(), version)
        : unavailable(engine, version);
  }

  private long named() {
    return sessions.all().stream()
        .filter(session -> session.key() instanceof SessionKey.Named)
        .count();
  }

  static JsonObject ok(EngineStatus engine, long sessions, AuditState audit, String version) {
    JsonObjectBuilder json =
        JsonAnswer.object()
            .add("status", "ok")
            .add("sandbox", engine.sandbox())
            .add("limits", engine.limits())
            .add("sessions", sessions)
            .add("audit", audit.label())
            .add("version", version);
    engine
        .python()
        .ifPresentOrElse(python -> json.add("python", python), () -> json.addNull("python"));
    return json.build();
  }

  static JsonObject unaudited(String version) {
    return JsonAnswer.object()
        .add("status", "unavailable")
        .add("audit", AuditState.FAILING.label())
        .add("error", "the audit log can't be written; the server's log has the cause")
        .add("version", version)
        .add(
            "cure",
            "make room on its disk or correct its directory; it is tried again every second. With"
                + " runstone.audit.required=false code runs all the same")
        .build();
  }

  static JsonObject unavailable(EngineStatus engine, String version) {
    JsonObjectBuilder json =
        JsonAnswer.object()
            .add("status", "unavailable")
            .add("sandbox", "unavailable")
            .add("error", engine.detail())
            .add("version", version);
    engine.cure().ifPresentOrElse(cure -> json.add("cure", cure), () -> json.addNull("cure"));
    return json.build();
  }

  private static JsonObject stopping() {
    return JsonAnswer.object()
        .add("status", "unavailable")
        .add("error", "the application is starting or stopping; try again later")
        .build();
  }
}
