package io.runstone.rest;

import io.runstone.concurrent.Threads;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the answer of a call when its stage completes, without a thread that waits. Thread-safe.
 *
 * <p>Answers are written by threads of their own: the thread that completes a stage belongs to a
 * session, whose next cell must not wait for a client that reads slowly.
 */
@ApplicationScoped
public class Answers {
  private static final System.Logger LOG = System.getLogger(Answers.class.getName());
  private static final int MAX_WRITERS = 64;

  @Inject private Threads threads;

  private ThreadPoolExecutor writers;

  /** A call that is on its way once this returns. */
  interface Call<T> {
    CompletionStage<T> start() throws IOException;
  }

  @PostConstruct
  void open() {
    writers = threads.elastic("rest-writer", MAX_WRITERS);
  }

  @PreDestroy
  void close() {
    writers.shutdown();
  }

  /**
   * Starts a call and answers it, exactly once, whether it succeeds or not.
   *
   * @param success renders the outcome
   * @param failure renders what the call failed with, at its start or later
   */
  <T> void send(
      AsyncResponse answer,
      Call<T> call,
      Function<? super T, Response> success,
      Function<Throwable, Response> failure) {
    begin(call)
        .whenCompleteAsync(
            (value, problem) ->
                resume(
                    answer, () -> problem == null ? success.apply(value) : failure.apply(problem)),
            this::write);
  }

  private static <T> CompletionStage<T> begin(Call<T> call) {
    try {
      return call.start();
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private void write(Runnable task) {
    try {
      writers.execute(task);
    } catch (RejectedExecutionException e) { // busy or closing; an answer must go out all the same
      LOG.log(System.Logger.Level.DEBUG, "no writer is free, the answer is written where it arose");
      task.run();
    }
  }

  private static void resume(AsyncResponse answer, Supplier<Response> rendering) {
    Response response;
    try {
      response = rendering.get();
    } catch (RuntimeException e) {
      response = ErrorAnswer.of(e).response();
    }
    try {
      if (!answer.resume(response)) {
        LOG.log(System.Logger.Level.DEBUG, "the client went away before its answer was ready");
      }
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "the client went away while its answer was written", e);
    }
  }
}
