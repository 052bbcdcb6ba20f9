package io.runstone.console;

import io.runstone.concurrent.Causes;
import io.runstone.upstream.oauth.ConsentException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers that wait for an authorization server, without a container thread. Stateless. */
final class Later {
  private static final System.Logger LOG = System.getLogger(Later.class.getName());

  private Later() {}

  /** Writes an answer from what was waited for. */
  interface Writer<T> {
    void write(HttpServletResponse response, T value) throws IOException;
  }

  /** Answers once a stage is done; each request behind one has its own time limit. */
  static <T> void answer(HttpServletRequest request, CompletionStage<T> stage, Writer<T> writer) {
    AsyncContext later = request.startAsync();
    later.setTimeout(0);
    HttpServletResponse response = (HttpServletResponse) later.getResponse();
    stage.whenComplete(
        (value, trouble) -> {
          try {
            if (trouble == null) {
              writer.write(response, value);
            } else {
              tell(response, trouble);
            }
          } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a browser went away", e);
          } finally {
            later.complete();
          }
        });
  }

  private static void tell(HttpServletResponse response, @Nullable Throwable trouble)
      throws IOException {
    Throwable cause = trouble == null ? null : Causes.of(trouble);
    if (cause instanceof ConsentException known) {
      PageAnswer.tell(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "That did not work",
          String.valueOf(known.getMessage()));
    } else {
      LOG.log(
          System.Logger.Level.ERROR,
          "a page failed: {0}",
          cause == null ? "" : cause.getClass().getName());
      PageAnswer.tell(
          response,
          HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
          "That did not work",
          "Something is wrong with this server; its administrator finds it in the log.");
    }
  }
}
