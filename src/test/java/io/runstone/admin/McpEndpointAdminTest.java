package io.runstone.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class McpEndpointAdminTest {
  private final FakeMcp mcp = new FakeMcp();
  private final McpEndpointAdmin admin = new McpEndpointAdmin(mcp);

  private void open(String id, int idleSeconds) {
    mcp.open.add(
        new McpOperations.McpSession("ann", id, "2025-11-25", Duration.ofSeconds(idleSeconds), 0));
  }

  @Test
  void idsAreShownAsDigestsLeastRecentlyUsedFirst() {
    open("secret-1", 5);
    open("secret-2", 50);
    assertThat(admin.listSessions())
        .extracting(McpSessionSummary::getId)
        .containsExactly(SessionNames.digest("secret-2"), SessionNames.digest("secret-1"));
    assertThat(admin.getSessions()).isEqualTo(2);
  }

  @Test
  void aSessionIsEndedByItsDigestOnly() {
    open("secret-1", 5);
    assertThatThrownBy(() -> admin.endSession("secret-1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("listSessions");
    admin.endSession(SessionNames.digest("secret-1"));
    assertThat(mcp.open).isEmpty();
  }
}
