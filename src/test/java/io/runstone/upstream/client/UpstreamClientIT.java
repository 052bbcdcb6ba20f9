package io.runstone.upstream.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.Cancellation;
import io.runstone.testing.Wars;
import io.runstone.upstream.Authorizer;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamCall;
import io.runstone.upstream.UpstreamConnection;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.UpstreamTool;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client of upstream servers, with this product as the server. */
@ArquillianTest
@Timeout(60)
class UpstreamClientIT {
  private final ClientFixture client =
      new ClientFixture(ClientSettings.of("runstone", "test", 4 << 20));

  @ArquillianResource private URL base;

  @Deployment(testable = false)
  static WebArchive war() {
    return Wars.built();
  }

  @AfterEach
  void close() {
    client.close();
  }

  private UpstreamConnection connect() throws Exception {
    return client.connect(base.toURI().resolve("mcp"));
  }

  private static UpstreamCall execution(String code, Duration timeout, List<String> progress) {
    return new UpstreamCall(
        new ServerName("runstone"),
        "execute_python_code",
        Map.of("command", code),
        Optional.of(timeout),
        new Cancellation(),
        progress::add);
  }

  @Test
  void codeRunsAndTellsOfItsProgress() throws Exception {
    UpstreamConnection connection = connect();
    assertThat(connection.protocolVersion()).isEqualTo("2026-07-28");
    assertThat(ClientFixture.get(connection.listTools(Authorizer.NONE)))
        .extracting(UpstreamTool::name)
        .contains("execute_python_code", "start_python_session");

    List<String> progress = new CopyOnWriteArrayList<>();
    UpstreamResult result =
        ClientFixture.get(
            connection.call(
                execution(
                    "import time\nprint('half', flush=True)\ntime.sleep(0.5)\nprint('done')",
                    Duration.ofSeconds(30),
                    progress),
                Authorizer.NONE));

    assertThat(result.isError()).isFalse();
    assertThat(ClientFixture.text(result)).contains("half").contains("done");
    assertThat(String.join("", progress)).contains("half");
    ClientFixture.get(connection.close(Authorizer.NONE));
  }

  @Test
  void manyCallsAtOnceGetTheirOwnAnswers() throws Exception {
    UpstreamConnection connection = connect();
    List<CompletionStage<UpstreamResult>> calls = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(
          connection.call(
              execution(
                  "print('number', " + i + ")",
                  Duration.ofSeconds(30),
                  new CopyOnWriteArrayList<>()),
              Authorizer.NONE));
    }
    for (int i = 0; i < 5; i++) {
      assertThat(ClientFixture.text(ClientFixture.get(calls.get(i)))).contains("number " + i);
    }
  }

  @Test
  void aCallThatTakesTooLongIsGivenUp() throws Exception {
    UpstreamConnection connection = connect();

    assertThat(
            ClientFixture.failure(
                    connection.call(
                        execution(
                            "import time\ntime.sleep(30)",
                            Duration.ofSeconds(1),
                            new CopyOnWriteArrayList<>()),
                        Authorizer.NONE))
                .kind())
        .isEqualTo(UpstreamException.Kind.TIMEOUT);
  }
}
