package io.runstone.security.login;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request, and what a filter or a login answers; what nobody should ask for fails. */
public final class FakeExchange {
  private final String path;
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, Object> attributes = new HashMap<>();
  private final Map<String, String> answered = new HashMap<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  /** The address that the request arrived at. */
  public @Nullable String localAddress = "127.0.0.1";

  /** Who the server has logged in. */
  public @Nullable String principal;

  /** The query. */
  public @Nullable String query;

  /** The cookies. */
  public List<Cookie> cookies = List.of();

  /** The roles of the one whom the server has logged in. */
  public Set<String> roles = Set.of();

  /** The status with which the server asks for its own login; 0 if it has none. */
  public int ownLogin;

  private int status = 200;
  private boolean passed;

  /** A request to a path. */
  public FakeExchange(String path) {
    this.path = path;
  }

  /** Adds a header. */
  public FakeExchange with(String name, String value) {
    headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), any -> new ArrayList<>()).add(value);
    return this;
  }

  /** Sends it through a filter. */
  public FakeExchange through(AuthenticationFilter filter) throws IOException, ServletException {
    FilterChain chain = (request, response) -> passed = true;
    filter.doFilter(request(), response(), chain);
    return this;
  }

  /** Whether the filter let it through. */
  public boolean passed() {
    return passed;
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }

  /** A header of the answer. */
  public String header(String name) {
    return answered.getOrDefault(name, "");
  }

  /** The body of the answer. */
  public JsonObject json() {
    return Json.createReader(new StringReader(body.toString(StandardCharsets.UTF_8))).readObject();
  }

  /** The body of the answer, as it is. */
  public String text() {
    return body.toString(StandardCharsets.UTF_8);
  }

  /** An attribute of the request. */
  public Optional<Object> attribute(String name) {
    return Optional.ofNullable(attributes.get(name));
  }

  /** The request. */
  public HttpServletRequest request() {
    return proxy(
        HttpServletRequest.class,
        (proxy, method, args) ->
            switch (method.getName()) {
              case "getRequestURI" -> path;
              case "getContextPath" -> "";
              case "getHeaders" ->
                  Collections.enumeration(
                      headers.getOrDefault(((String) args[0]).toLowerCase(Locale.ROOT), List.of()));
              case "getLocalAddr" -> localAddress;
              case "getCookies" -> cookies.isEmpty() ? null : cookies.toArray(Cookie[]::new);
              case "getQueryString" -> query;
              case "getAttribute" -> attributes.get((String) args[0]);
              case "getRemoteAddr" -> "192.0.2.7";
              case "setAttribute" -> attributes.put((String) args[0], args[1]);
              case "getUserPrincipal" -> principal == null ? null : (Principal) () -> principal;
              case "isUserInRole" -> roles.contains((String) args[0]);
              case "authenticate" -> {
                if (ownLogin == 0) {
                  throw new ServletException("no login is configured");
                }
                status = ownLogin;
                yield false;
              }
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  /** The response. */
  public HttpServletResponse response() {
    return proxy(
        HttpServletResponse.class,
        (proxy, method, args) -> {
          switch (method.getName()) {
            case "setStatus" -> status = (Integer) args[0];
            case "setHeader", "addHeader" -> answered.put((String) args[0], (String) args[1]);
            case "setContentType" -> answered.put("Content-Type", (String) args[0]);
            case "setContentLength" -> {}
            case "getOutputStream" -> {
              return new Out();
            }
            case "isCommitted" -> {
              return false;
            }
            case "getStatus" -> {
              return status;
            }
            default -> throw new UnsupportedOperationException(method.getName());
          }
          return null;
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final class Out extends ServletOutputStream {
    @Override
    public void write(int b) {
      body.write(b);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException();
    }
  }
}
