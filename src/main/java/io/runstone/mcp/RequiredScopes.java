package io.runstone.mcp;

import io.runstone.mcp.feature.ResourceCatalog;
import io.runstone.mcp.feature.Tool;
import io.runstone.mcp.wire.RpcMessage;
import io.runstone.security.Scope;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What somebody has to be allowed to send a message; known from the message alone, before anything
 * begins. Immutable.
 *
 * @param tools the scopes of the tools that need one, by their names
 */
record RequiredScopes(Map<String, Scope> tools, ResourceCatalog resources) {
  RequiredScopes {
    tools = Map.copyOf(tools);
  }

  static RequiredScopes of(List<Tool> tools, ResourceCatalog resources) {
    Map<String, Scope> scopes = new HashMap<>();
    tools.forEach(tool -> tool.scope().ifPresent(scope -> scopes.put(tool.name(), scope)));
    return new RequiredScopes(scopes, resources);
  }

  /** The scopes that a message needs; what needs none is for everybody who is known. */
  Set<Scope> of(RpcMessage message) {
    Map<String, Object> params = message.params();
    return switch (message.method()) {
      case "tools/call" ->
          Optional.ofNullable(tools.get(String.valueOf(params.get("name")))).stream()
              .collect(Collectors.toSet());
      case "resources/read", "resources/subscribe", "resources/unsubscribe" ->
          ofUris(Stream.of(String.valueOf(params.get("uri"))));
      case "subscriptions/listen" -> ofUris(subscribed(params.get("notifications")));
      default -> Set.of();
    };
  }

  private Set<Scope> ofUris(Stream<String> uris) {
    return uris.flatMap(uri -> resources.scope(uri).stream()).collect(Collectors.toSet());
  }

  private static Stream<String> subscribed(@Nullable Object notifications) {
    return notifications instanceof Map<?, ?> map
            && map.get("resourceSubscriptions") instanceof Collection<?> uris
        ? uris.stream().map(String::valueOf)
        : Stream.empty();
  }
}
