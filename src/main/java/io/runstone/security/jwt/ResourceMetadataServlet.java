package io.runstone.security.jwt;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.runstone.config.AuthSettings;
import io.runstone.security.Challenge;
import io.runstone.security.Scope;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells clients where to get a token for this server, or for its MCP endpoint: RFC 9728.
 * Thread-safe.
 */
public final class ResourceMetadataServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient AuthSettings.Jwt settings;
  private final List<String> scopes;

  /**
   * Creates the servlet, which is to be mapped to both paths.
   *
   * @param offered the scopes that a client may ask for when it knows nothing better
   */
  public ResourceMetadataServlet(AuthSettings.Jwt settings, Set<Scope> offered) {
    this.settings = settings;
    this.scopes = offered.stream().sorted().map(Scope::label).toList();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean known = List.of("GET", "HEAD").contains(request.getMethod());
    String resource =
        settings.resource() + (request.getRequestURI().endsWith(Challenge.MCP) ? "/mcp" : "");
    Map<String, Object> body =
        known ? metadata(resource) : Map.of("error", "this path knows GET and HEAD");
    byte[] bytes = JSONObjectUtils.toJSONString(body).getBytes(StandardCharsets.UTF_8);
    response.setStatus(known ? HttpServletResponse.SC_OK : 405);
    if (known) {
      response.setHeader("Cache-Control", "public, max-age=300");
    } else {
      response.setHeader("Allow", "GET, HEAD");
    }
    response.setContentType("application/json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  private Map<String, Object> metadata(String resource) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("resource", resource);
    metadata.put("resource_name", "Runstone");
    metadata.put(
        "authorization_servers",
        settings.issuers().stream().map(AuthSettings.Issuer::name).toList());
    metadata.put("scopes_supported", scopes);
    metadata.put("bearer_methods_supported", List.of("header"));
    return metadata;
  }
}
