package io.runstone.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runstone.config.Settings;
import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Outcome;
import io.runstone.kernel.Output;
import io.runstone.kernel.SessionState;
import io.runstone.kernel.StreamName;
import io.runstone.security.UserId;
import io.runstone.session.SessionException.Category;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotasTest {
  private static final UserId ANNA = new UserId("anna");
  private static final UserId BERT = new UserId("bert");

  private final TestClock clock = new TestClock();

  private Quotas quotas(long executions, long cpuSeconds, long chars) {
    return new Quotas(new Settings.Quota(executions, cpuSeconds, chars, 0, 0), clock);
  }

  private static ExecutionResult result(Duration cpu, String text) {
    return new ExecutionResult(
        ExecutionId.random(),
        new Outcome.Ok(),
        List.of(new Output.Stream(StreamName.STDOUT, text)),
        List.of(),
        SessionState.PRESERVED,
        cpu,
        cpu);
  }

  private static SessionException refusal(Quotas quotas, UserId user) {
    SessionException refused =
        catchThrowableOfType(SessionException.class, () -> quotas.begin(user));
    assertThat(refused.category()).isEqualTo(Category.QUOTA);
    return refused;
  }

  @Test
  void eachUserHasHisOwnHour() {
    Quotas quotas = quotas(2, 0, 0);
    quotas.begin(ANNA);
    clock.advance(Duration.ofMinutes(50));
    quotas.begin(ANNA);
    SessionException refused = refusal(quotas, ANNA);
    assertThat(refused.retryAfter()).contains(Duration.ofMinutes(10));
    assertThat(refused).hasMessageContaining("runstone.quota.executions-per-hour");
    quotas.begin(BERT);
    clock.advance(Duration.ofMinutes(10));
    quotas.begin(ANNA);
  }

  @Test
  void whatAnExecutionUsedCountsForTheNext() {
    Quotas cpu = quotas(0, 10, 0);
    cpu.begin(ANNA);
    cpu.end(ANNA, result(Duration.ofSeconds(9), ""));
    cpu.begin(ANNA);
    cpu.end(ANNA, result(Duration.ofSeconds(9), ""));
    assertThat(refusal(cpu, ANNA)).hasMessageContaining("cpu-seconds-per-hour");
    Quotas output = quotas(0, 0, 5);
    output.begin(ANNA);
    output.end(ANNA, result(Duration.ZERO, "12345"));
    assertThat(refusal(output, ANNA)).hasMessageContaining("output-chars-per-hour");
  }

  @Test
  void withoutABoundNothingIsRefused() {
    Quotas quotas = quotas(0, 0, 0);
    for (int i = 0; i < 10_000; i++) {
      quotas.begin(ANNA);
    }
  }
}
