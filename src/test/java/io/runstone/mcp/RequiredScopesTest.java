package io.runstone.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.mcp.feature.ResourceCatalog;
import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.feature.ResourceInfo;
import io.runstone.mcp.feature.ResourceTemplate;
import io.runstone.mcp.feature.Resources;
import io.runstone.mcp.wire.RpcMessage;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequiredScopesTest {
  private final RequiredScopes scopes =
      new RequiredScopes(
          Map.of("run", Scope.EXECUTE),
          new ResourceCatalog(
              List.of(new Kind("f://", Scope.FILES), new Kind("s://", Scope.SESSIONS))));

  private record Kind(String prefix, Scope needed) implements Resources {
    @Override
    public Optional<Scope> scope() {
      return Optional.of(needed);
    }

    @Override
    public boolean isOne(String uri) {
      return uri.startsWith(prefix);
    }

    @Override
    public List<ResourceTemplate> templates() {
      return List.of();
    }

    @Override
    public List<ResourceInfo> list(UserId user) {
      return List.of();
    }

    @Override
    public Optional<ResourceData> read(UserId user, String uri) {
      return Optional.empty();
    }
  }

  private Set<Scope> of(String method, Map<String, Object> params) {
    return scopes.of(
        new RpcMessage(RpcMessage.Kind.REQUEST, Map.of("method", method, "params", params)));
  }

  @Test
  void toolsAndResourcesHaveTheirs() {
    assertThat(of("tools/call", Map.of("name", "run"))).containsExactly(Scope.EXECUTE);
    assertThat(of("resources/read", Map.of("uri", "f://x"))).containsExactly(Scope.FILES);
    assertThat(of("resources/subscribe", Map.of("uri", "s://x"))).containsExactly(Scope.SESSIONS);
  }

  @Test
  void oneWhoListensNeedsThoseOfAllThatIsListenedTo() {
    assertThat(
            of(
                "subscriptions/listen",
                Map.of(
                    "notifications",
                    Map.of("resourceSubscriptions", List.of("f://x", "s://x", "other://", 7)))))
        .containsExactlyInAnyOrder(Scope.FILES, Scope.SESSIONS);
  }

  @Test
  void whatIsUnknownOrMalformedNeedsNoneAndIsRefusedLater() {
    assertThat(of("tools/call", Map.of("name", "other"))).isEmpty();
    assertThat(of("tools/call", Map.of("name", List.of()))).isEmpty();
    assertThat(of("resources/read", Map.of())).isEmpty();
    assertThat(of("tools/list", Map.of())).isEmpty();
    assertThat(of("subscriptions/listen", Map.of("notifications", "all"))).isEmpty();
  }
}
