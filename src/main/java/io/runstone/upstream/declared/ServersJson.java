package io.runstone.upstream.declared;

import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamServer;
import io.runstone.upstream.UpstreamServer.Login;
import io.runstone.upstream.UpstreamServer.ToolFilter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads declarations of upstream servers; {@code docs/reference/upstream-servers.schema.json} says
 * the same as a schema. Pure.
 */
final class ServersJson {
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ServersJson() {}

  /**
   * Reads a file's bytes.
   *
   * @param timeout of servers that name none
   * @return the servers by name
   */
  static List<UpstreamServer> read(byte[] file, Duration timeout) throws BadDeclarationException {
    JsonNode root;
    try {
      root = JSON.readTree(new String(file, StandardCharsets.UTF_8));
    } catch (JacksonException e) {
      throw new BadDeclarationException(
          "",
          "is not JSON, in line %d, column %d"
              .formatted(
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
    }
    Fields top = new Fields("", root);
    top.text("$schema");
    Fields servers =
        new Fields(
            "/servers",
            top.member("servers")
                .orElseThrow(() -> top.bad("servers", "is missing; expected an object")));
    top.checkAllRead();
    List<UpstreamServer> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : servers.all()) {
      if (!ServerName.isOne(entry.getKey())) {
        throw servers.bad(entry.getKey(), "a server's name is " + ServerName.RULE);
      }
      Fields fields = new Fields(servers.at(entry.getKey()), entry.getValue());
      all.add(server(new ServerName(entry.getKey()), fields, timeout));
    }
    all.sort(Comparator.comparing(UpstreamServer::name));
    return List.copyOf(all);
  }

  private static UpstreamServer server(ServerName name, Fields fields, Duration timeout)
      throws BadDeclarationException {
    UpstreamServer server =
        new UpstreamServer(
            name,
            uri(fields, "url").orElseThrow(() -> fields.bad("url", "is missing; expected a URL")),
            fields.text("title").orElse(name.value()),
            fields.text("description").orElse(""),
            login(fields),
            fields.flag("stateless"),
            tools(fields),
            timeout(fields).orElse(timeout),
            fields.path("trust"));
    fields.checkAllRead();
    return server;
  }

  private static ToolFilter tools(Fields fields) throws BadDeclarationException {
    Optional<JsonNode> node = fields.member("tools");
    if (node.isEmpty()) {
      return ToolFilter.ALL;
    }
    Fields lists = new Fields(fields.at("tools"), node.orElseThrow());
    ToolFilter filter =
        new ToolFilter(Set.copyOf(lists.texts("allow")), Set.copyOf(lists.texts("deny")));
    lists.checkAllRead();
    return filter;
  }

  private static Login login(Fields fields) throws BadDeclarationException {
    Optional<JsonNode> node = fields.member("login");
    if (node.isEmpty()) {
      return new Login.None();
    }
    Fields login = new Fields(fields.at("login"), node.orElseThrow());
    String type = login.requiredText("type");
    Login read =
        switch (type) {
          case "none" -> new Login.None();
          case "static" ->
              new Login.Static(
                  login
                      .path("secret-file")
                      .orElseThrow(
                          () -> login.bad("secret-file", "is missing; expected an absolute path")));
          case "exchange" ->
              new Login.Exchange(
                  uri(login, "token-endpoint")
                      .orElseThrow(() -> login.bad("token-endpoint", "is missing; expected a URL")),
                  login.requiredText("audience"),
                  login.requiredText("client-id"),
                  login.path("client-secret-file"),
                  login.texts("scopes"));
          case "oauth" ->
              new Login.OAuth(
                  uri(login, "issuer"),
                  login.text("client-id"),
                  login.path("client-secret-file"),
                  login.texts("scopes"));
          default -> throw login.bad("type", "expected none, static, exchange or oauth");
        };
    login.checkAllRead();
    return read;
  }

  private static Optional<Duration> timeout(Fields fields) throws BadDeclarationException {
    Optional<String> text = fields.text("timeout");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String expected = "expected a duration above zero and at most an hour, such as PT30S";
    try {
      Duration duration = Duration.parse(text.orElseThrow());
      if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
        throw fields.bad("timeout", expected);
      }
      return Optional.of(duration);
    } catch (DateTimeParseException e) {
      throw fields.bad("timeout", expected);
    }
  }

  /** Tokens travel with every request, so they travel protected, or on no network at all. */
  private static Optional<URI> uri(Fields fields, String name) throws BadDeclarationException {
    Optional<String> text = fields.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String expected = "expected a URL with https, or with http and a loopback address";
    try {
      URI uri = new URI(text.orElseThrow());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean known = scheme.equals("https") || scheme.equals("http");
      boolean allowed = scheme.equals("https") || LOOPBACK.contains(String.valueOf(uri.getHost()));
      if (!known || uri.getHost() == null || !allowed) {
        throw fields.bad(name, expected);
      } else if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
        throw fields.bad(name, "expected a URL without user, password and fragment");
      }
      return Optional.of(uri);
    } catch (URISyntaxException e) {
      throw fields.bad(name, expected);
    }
  }
}
