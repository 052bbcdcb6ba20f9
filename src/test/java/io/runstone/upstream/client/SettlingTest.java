package io.runstone.upstream.client;

import static io.runstone.upstream.client.ClientFixture.echo;
import static io.runstone.upstream.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.upstream.Authorizer;
import io.runstone.upstream.UpstreamConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Conversations share threads while they last, and leave nothing behind. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class SettlingTest {
  private static final int CONVERSATIONS = 200;

  private static List<String> threadNames() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.matches("(HttpClient-|runstone-upstream).*"))
        .toList();
  }

  private static int clientThreads() {
    return threadNames().size();
  }

  private static int descriptors() {
    String[] open = Path.of("/proc/self/fd").toFile().list();
    return open == null ? 0 : open.length;
  }

  /** The JDK's client ends its thread once it is collected. */
  private static void awaitAtMost(IntSupplier count, int limit) throws InterruptedException {
    for (int i = 0; i < 200 && count.getAsInt() > limit; i++) {
      System.gc();
      Thread.sleep(100);
    }
    assertThat(count.getAsInt()).as("%s", threadNames()).isLessThanOrEqualTo(limit);
  }

  @Test
  void threadsAndDescriptorsSettle() throws Exception {
    awaitAtMost(SettlingTest::clientThreads, 0);
    McpScript script =
        McpScript.legacy(
                "2025-11-25",
                Map.of("tools", Map.of("listChanged", true)),
                "Mcp-Session-Id: session-1")
            .on(
                "GET",
                (request, response) -> {
                  response.stream();
                  response.awaitClose();
                });
    try (ScriptedServer server = new ScriptedServer(script);
        ClientFixture client = new ClientFixture()) {
      int before = descriptors();
      List<UpstreamConnection> connections = new ArrayList<>();
      for (int i = 0; i < CONVERSATIONS; i++) {
        connections.add(client.connect(server.url()));
      }
      for (UpstreamConnection connection : connections) {
        get(echo(connection, "x"));
      }
      assertThat(client.connector.clients()).isEqualTo(1);
      assertThat(clientThreads()).isLessThan(12);
      for (UpstreamConnection connection : connections) {
        get(connection.close(Authorizer.NONE));
      }

      awaitAtMost(client.connector::clients, 0);
      awaitAtMost(server::connections, 0);
      awaitAtMost(SettlingTest::descriptors, before + 5);
    }
    awaitAtMost(SettlingTest::clientThreads, 0);
  }
}
