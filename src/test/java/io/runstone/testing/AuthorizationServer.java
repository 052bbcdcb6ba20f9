package io.runstone.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An authorization server on loopback with pages that a browser can click, and an MCP endpoint's
 * address that its tokens open. Every secret that it gives out begins with {@code canary-}; it
 * keeps a log of what it was asked, and misbehaves as a test wants. Thread-safe.
 */
public final class AuthorizationServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> refreshTokens = new ConcurrentHashMap<>();
  private final Set<String> accessTokens = ConcurrentHashMap.newKeySet();
  private final Map<String, HttpHandler> instead = new ConcurrentHashMap<>();
  private final Map<String, Object> changed = new ConcurrentHashMap<>();

  /** What it was asked: a word, and the fields that came with it. */
  public final List<Map<String, String>> seen = new CopyOnWriteArrayList<>();

  /** Every secret it gave out. */
  public final Set<String> canaries = ConcurrentHashMap.newKeySet();

  /** How long access tokens live; none is said if negative. */
  public volatile int lifetime = 3600;

  /** The scopes that the MCP endpoint says it wants; it says nothing of them if empty. */
  public volatile String challenge = "";

  /** Makes the ID token of an OpenID login from a code's fields, if that is wanted. */
  public volatile java.util.function.Function<Map<String, String>, String> idTokens = any -> "";

  /** Starts it on a free port. */
  public AuthorizationServer() throws IOException {
    this(0);
  }

  /** Starts it. */
  public AuthorizationServer(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    on("/.well-known/oauth-authorization-server", this::metadata);
    on("/.well-known/oauth-protected-resource", this::resource);
    on("/authorize", this::authorize);
    on("/token", this::token);
    on("/register", this::register);
    on("/revoke", this::revoke);
    on("/mcp", this::mcp);
    server.start();
  }

  /** Adds a page, such as an endpoint that a test needs besides. */
  public void on(String path, HttpHandler handler) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            HttpHandler other = instead.get(path);
            (other == null ? handler : other).handle(exchange);
          }
        });
  }

  /** Answers otherwise at a path from now on. */
  public void answer(String path, HttpHandler handler) {
    instead.put(path, handler);
  }

  /** Answers as usual again. */
  public void answerAsUsual(String path) {
    instead.remove(path);
  }

  /** Says something else in its metadata; the empty text leaves a field out. */
  public void say(String field, Object value) {
    changed.put(field, value);
  }

  /** Its name. */
  public String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The address of the MCP endpoint. */
  public URI mcp() {
    return URI.create(issuer() + "/mcp");
  }

  /** How often something was asked. */
  public long count(String what) {
    return seen.stream().filter(one -> what.equals(one.get("what"))).count();
  }

  /** The last time something was asked. */
  public Map<String, String> last(String what) {
    return seen.stream()
        .filter(one -> what.equals(one.get("what")))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** Whether a token opens the MCP endpoint. */
  public boolean takes(String token) {
    return accessTokens.contains(token);
  }

  /** Takes access tokens no more, as if they had expired early. */
  public void expireAll() {
    accessTokens.clear();
  }

  /** Takes refresh tokens no more. */
  public void forgetAll() {
    refreshTokens.clear();
  }

  /** Consents as a user would in a browser, and says with what the browser is sent back. */
  public Map<String, String> consent(URI link, String user) {
    Map<String, String> query = form(link.getRawQuery());
    note("authorize", query);
    String code = secret("code");
    Map<String, String> known = new LinkedHashMap<>(query);
    known.put("user", user);
    codes.put(code, known);
    Map<String, String> back =
        new LinkedHashMap<>(form(URI.create(query.getOrDefault("redirect_uri", "")).getRawQuery()));
    back.put("code", code);
    back.put("state", query.getOrDefault("state", ""));
    back.put("iss", issuer());
    return back;
  }

  private String secret(String kind) {
    String secret = "canary-" + kind + "-" + numbers.incrementAndGet() + "-" + System.nanoTime();
    canaries.add(secret);
    return secret;
  }

  private void note(String what, Map<String, String> fields) {
    Map<String, String> one = new LinkedHashMap<>(fields);
    one.put("what", what);
    seen.add(one);
  }

  private void metadata(HttpExchange exchange) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("issuer", issuer());
    for (String name :
        List.of("authorize:authorization", "token", "register:registration", "revoke:revocation")) {
      String[] parts = name.split(":", -1);
      fields.put(parts[parts.length - 1] + "_endpoint", issuer() + "/" + parts[0]);
    }
    fields.put("code_challenge_methods_supported", List.of("S256"));
    fields.put("authorization_response_iss_parameter_supported", true);
    fields.putAll(changed);
    JsonObjectBuilder json = Json.createObjectBuilder();
    fields.forEach(
        (name, value) -> {
          if (value instanceof List<?> list) {
            json.add(name, Json.createArrayBuilder(list));
          } else if (value instanceof Boolean truth) {
            json.add(name, truth);
          } else if (!value.equals("")) {
            json.add(name, String.valueOf(value));
          }
        });
    send(exchange, 200, json.build());
  }

  private void resource(HttpExchange exchange) throws IOException {
    send(
        exchange,
        200,
        Json.createObjectBuilder()
            .add("resource", mcp().toString())
            .add("authorization_servers", Json.createArrayBuilder().add(issuer()))
            .add("scopes_supported", Json.createArrayBuilder().add("tools"))
            .build());
  }

  private void mcp(HttpExchange exchange) throws IOException {
    String header =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse("");
    note("mcp", Map.of("authorization", header));
    String metadata = issuer() + "/.well-known/oauth-protected-resource/mcp";
    if (exchange.getRequestMethod().equals("GET")) {
      send(exchange, 405, Json.createObjectBuilder().build());
    } else if (!header.startsWith("Bearer ") || !accessTokens.contains(header.substring(7))) {
      String scope = challenge.isEmpty() ? "" : ", scope=\"" + challenge + "\"";
      exchange
          .getResponseHeaders()
          .set("WWW-Authenticate", "Bearer resource_metadata=\"" + metadata + "\"" + scope);
      send(exchange, 401, Json.createObjectBuilder().build());
    } else {
      send(exchange, 200, Json.createObjectBuilder().add("ok", true).build());
    }
  }

  /** GET shows a page to log in, POST one to consent, and then sends the browser back. */
  private void authorize(HttpExchange exchange) throws IOException {
    Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
    Map<String, String> posted = form(body(exchange));
    String here = "/authorize?" + exchange.getRequestURI().getRawQuery();
    if (posted.containsKey("consent")) {
      Map<String, String> back =
          consent(URI.create(issuer() + here), posted.getOrDefault("user", "nobody"));
      StringBuilder to =
          new StringBuilder(query.getOrDefault("redirect_uri", "").replaceAll("\\?.*", ""));
      char mark = '?';
      for (Map.Entry<String, String> field : back.entrySet()) {
        to.append(mark).append(field.getKey()).append('=');
        to.append(URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8));
        mark = '&';
      }
      exchange.getResponseHeaders().set("Location", to.toString());
      exchange.sendResponseHeaders(302, -1);
      return;
    }
    String user = posted.get("user");
    String inside =
        user == null
            ? "<h1>Log in</h1><input name=user id=user><button id=login>Log in</button>"
            : "<h1>Consent</h1><input type=hidden name=user value='"
                + user
                + "'><button id=consent name=consent value=yes>Consent</button>";
    byte[] page =
        ("<!doctype html><title>Authorization server</title><form method=post action='"
                + here.replace("&", "&amp;").replace("'", "%27")
                + "'>"
                + inside
                + "</form>")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html;charset=utf-8");
    exchange.sendResponseHeaders(200, page.length);
    exchange.getResponseBody().write(page);
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> form = form(body(exchange));
    String basic = exchange.getRequestHeaders().getFirst("Authorization");
    Map<String, String> noted = new LinkedHashMap<>(form);
    noted.put("authorization", basic == null ? "" : basic);
    note("token", noted);
    note(form.getOrDefault("grant_type", "none"), noted);
    Map<String, String> known;
    switch (form.getOrDefault("grant_type", "")) {
      case "authorization_code" -> {
        known = codes.remove(form.getOrDefault("code", ""));
        if (known != null
            && !(challenge(form.getOrDefault("code_verifier", ""))
                    .equals(known.get("code_challenge"))
                && known.getOrDefault("redirect_uri", "").equals(form.get("redirect_uri")))) {
          known = null;
        }
      }
      case "refresh_token" -> known = refreshTokens.remove(form.getOrDefault("refresh_token", ""));
      default -> known = form;
    }
    if (known == null) {
      send(exchange, 400, Json.createObjectBuilder().add("error", "invalid_grant").build());
      return;
    }
    String access = secret("access");
    accessTokens.add(access);
    JsonObjectBuilder answer =
        Json.createObjectBuilder().add("access_token", access).add("token_type", "Bearer");
    if (lifetime >= 0) {
      answer.add("expires_in", lifetime);
    }
    if (!form.getOrDefault("grant_type", "").contains("token-exchange")) {
      String refresh = secret("refresh");
      refreshTokens.put(refresh, known);
      answer.add("refresh_token", refresh).add("scope", known.getOrDefault("scope", ""));
      String idToken = idTokens.apply(known);
      if (!idToken.isEmpty()) {
        answer.add("id_token", idToken);
      }
    } else {
      answer.add("issued_token_type", "urn:ietf:params:oauth:token-type:access_token");
    }
    send(exchange, 200, answer.build());
  }

  private void register(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    note("register", Map.of("body", body));
    send(
        exchange,
        201,
        Json.createObjectBuilder()
            .add("client_id", "registered-" + numbers.incrementAndGet())
            .add("client_secret", secret("client"))
            .add("token_endpoint_auth_method", "client_secret_basic")
            .build());
  }

  private void revoke(HttpExchange exchange) throws IOException {
    Map<String, String> form = form(body(exchange));
    note("revoke", form);
    refreshTokens.remove(form.getOrDefault("token", ""));
    accessTokens.remove(form.getOrDefault("token", ""));
    exchange.sendResponseHeaders(200, -1);
  }

  private static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The fields of a query or a form. */
  public static Map<String, String> form(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (text != null) {
      for (String field : text.split("&", -1)) {
        int at = field.indexOf('=');
        if (at > 0) {
          fields.put(
              URLDecoder.decode(field.substring(0, at), StandardCharsets.UTF_8),
              URLDecoder.decode(field.substring(at + 1), StandardCharsets.UTF_8));
        }
      }
    }
    return fields;
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Answers with an object. */
  public static void send(HttpExchange exchange, int status, JsonObject json) throws IOException {
    byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
