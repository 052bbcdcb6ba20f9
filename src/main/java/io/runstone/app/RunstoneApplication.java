package io.runstone.app;

import io.runstone.rest.AdminResource;
import io.runstone.rest.FailureMapper;
import io.runstone.rest.OutputsResource;
import io.runstone.rest.SessionExceptionMapper;
import io.runstone.rest.SessionsResource;
import io.runstone.rest.UpstreamAdminResource;
import io.runstone.rest.WebApplicationExceptionMapper;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.Set;

/**
 * Everything that JAX-RS serves, at the root; servlets with an exact path, such as {@code /mcp} and
 * {@code /health}, come before it.
 */
@ApplicationPath("/")
public class RunstoneApplication extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(
        AdminResource.class,
        OutputsResource.class,
        SessionsResource.class,
        UpstreamAdminResource.class,
        FailureMapper.class,
        SessionExceptionMapper.class,
        WebApplicationExceptionMapper.class);
  }

  /**
   * Jersey would answer {@code /application.wadl} with XML otherwise; other servers ignore this.
   */
  @Override
  public Map<String, Object> getProperties() {
    return Map.of("jersey.config.server.wadl.disableWadl", true);
  }
}
