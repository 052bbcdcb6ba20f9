package io.runstone.app;

import io.runstone.admin.AdminRegistrar;
import io.runstone.concurrent.Threads;
import io.runstone.config.AuthSettings;
import io.runstone.config.Settings;
import io.runstone.console.Console;
import io.runstone.http.Exchanges;
import io.runstone.mcp.McpEndpoint;
import io.runstone.mcp.McpServlet;
import io.runstone.mcp.feature.Features;
import io.runstone.security.AllowedHosts;
import io.runstone.security.Caller;
import io.runstone.security.Challenge;
import io.runstone.security.HostOriginFilter;
import io.runstone.security.RequestRate;
import io.runstone.security.audit.AuditLog;
import io.runstone.security.jwt.ResourceMetadataServlet;
import io.runstone.security.login.AuthenticationFilter;
import io.runstone.security.login.Authenticator;
import io.runstone.security.login.LoginRefusals;
import io.runstone.security.login.RequestRateFilter;
import io.runstone.session.SessionManager;
import io.runstone.workspace.WorkspaceFiles;
import io.runstone.workspace.Workspaces;
import jakarta.ejb.EJB;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.annotation.WebListener;
import java.time.Clock;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * The application's start and stop: registers the surfaces and ends them in the opposite order, and
 * then the sessions and every thread, while classes can still be loaded.
 */
@WebListener
public class Deployment implements ServletContextListener {
  private static final System.Logger LOG = System.getLogger(Deployment.class.getName());

  @EJB private SessionManager sessions;
  @Inject private Settings settings;
  @Inject private Threads threads;
  @Inject private Caller caller;
  @Inject private Authenticator authenticator;
  @Inject private Challenge challenge;
  @Inject private Exchanges exchanges;
  @Inject private Workspaces workspaces;
  @Inject private Instance<Features> features;
  @Inject private UpstreamParts upstreams;
  @Inject private RequestRate rate;
  @Inject private AuditLog auditLog;
  @Inject private Clock clock;

  private @Nullable McpEndpoint mcp;
  private @Nullable AdminRegistrar admin;
  private @Nullable ReadyAnnouncer announcer;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    Preloading.loadAll(context);
    FilterRegistration.Dynamic hosts =
        context.addFilter(
            "HostOriginFilter",
            new HostOriginFilter(new AllowedHosts(settings.http().extraHosts())));
    hosts.setAsyncSupported(true);
    hosts.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");

    FilterRegistration.Dynamic login = context.addFilter("AuthenticationFilter", login(context));
    login.setAsyncSupported(true);
    login.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");

    FilterRegistration.Dynamic rates =
        context.addFilter("RequestRateFilter", new RequestRateFilter(rate));
    rates.setAsyncSupported(true);
    rates.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");

    if (settings.auth() instanceof AuthSettings.Jwt jwt) {
      ServletRegistration.Dynamic metadata =
          context.addServlet(
              "ResourceMetadataServlet",
              new ResourceMetadataServlet(jwt, Logins.offered(settings)));
      metadata.setAsyncSupported(true);
      metadata.addMapping(Challenge.METADATA, Challenge.METADATA + Challenge.MCP);
    }

    McpEndpoint endpoint =
        new McpEndpoint(
            new McpEndpoint.Parts(
                settings, threads, exchanges, sessions, new WorkspaceFiles(workspaces), rate),
            Version.current(),
            features.stream().toList());
    mcp = endpoint;
    ServletRegistration.Dynamic servlet =
        context.addServlet("McpServlet", new McpServlet(endpoint, caller, challenge));
    servlet.setAsyncSupported(true);
    servlet.addMapping("/mcp");

    admin =
        new AdminRegistrar(
            sessions, new McpAdministration(endpoint, exchanges), upstreams.control());
    admin.open();
    announcer = ReadyAnnouncer.start(settings, threads);
  }

  /** With pages to connect upstream servers if there may be some. */
  private AuthenticationFilter login(ServletContext context) {
    LoginRefusals refusals = new LoginRefusals(auditLog, clock);
    if (upstreams.logins().isEmpty()) {
      return new AuthenticationFilter(authenticator, challenge, refusals);
    }
    Console console = new Console(settings, authenticator, upstreams.logins().orElseThrow(), clock);
    console.register(context);
    return console.filter(challenge, refusals);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (announcer != null) {
      announcer.close();
    }
    drain();
    if (admin != null) {
      admin.close();
    }
    if (mcp != null) {
      mcp.close();
    }
    authenticator.close();
    try {
      sessions.close();
    } catch (RuntimeException e) { // a server may end its EJBs before its servlets
      LOG.log(System.Logger.Level.DEBUG, "the session manager ended first", e);
    }
    upstreams.close();
    exchanges.close();
    threads.close();
  }

  /** Before anything ends, so that answers still reach their clients. */
  private void drain() {
    try {
      sessions.drain();
    } catch (RuntimeException e) { // a server may end its EJBs before its servlets
      LOG.log(System.Logger.Level.DEBUG, "the session manager ended first", e);
    }
  }
}
