package io.runstone.upstream;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a user can do with upstream servers. Every method checks what the requester may do, and
 * records calls in the audit log; failures are {@link UpstreamException}s in the stage.
 * Thread-safe; nothing in it waits.
 */
public interface Upstreams {

  /**
   * A server as users see it.
   *
   * @param connect where the user has to consent before it can be used
   */
  record Summary(ServerName name, String title, String description, Optional<URI> connect) {}

  /**
   * What a search found.
   *
   * @param tools the best first
   * @param unreachable servers that could not be asked, and why
   */
  record Matches(List<UpstreamTool> tools, List<Unreachable> unreachable) {
    public Matches {
      tools = List.copyOf(tools);
      unreachable = List.copyOf(unreachable);
    }
  }

  /** A server that could not be asked. */
  record Unreachable(ServerName server, UpstreamException why) {}

  /** There are no servers. */
  Upstreams NONE =
      new Upstreams() {
        @Override
        public List<Summary> servers(Requester requester) {
          return List.of();
        }

        @Override
        public CompletionStage<List<UpstreamTool>> tools(UpstreamCaller caller, ServerName server) {
          return CompletableFuture.failedStage(unknown(server));
        }

        @Override
        public CompletionStage<Matches> search(UpstreamCaller caller, String query, int limit) {
          return CompletableFuture.completedStage(new Matches(List.of(), List.of()));
        }

        @Override
        public CompletionStage<Matches> search(
            UpstreamCaller caller, ServerName server, String query, int limit) {
          return CompletableFuture.failedStage(unknown(server));
        }

        @Override
        public CompletionStage<UpstreamResult> call(UpstreamCaller caller, UpstreamCall call) {
          return CompletableFuture.failedStage(unknown(call.server()));
        }

        @Override
        public void release(UserId user, String owner) {}
      };

  /** The servers that a requester may use, by name. */
  List<Summary> servers(Requester requester);

  /** The tools of a server that a caller may use, by name. */
  CompletionStage<List<UpstreamTool>> tools(UpstreamCaller caller, ServerName server);

  /**
   * Finds tools by words in their names and descriptions, over all servers the caller may use.
   *
   * @param limit at most so many
   */
  CompletionStage<Matches> search(UpstreamCaller caller, String query, int limit);

  /** The same in one server, which has to answer. */
  CompletionStage<Matches> search(
      UpstreamCaller caller, ServerName server, String query, int limit);

  /** Calls a tool. */
  CompletionStage<UpstreamResult> call(UpstreamCaller caller, UpstreamCall call);

  /** Ends the conversations that something of a user owned; for whoever ended that. */
  void release(UserId user, String owner);

  /** There is no such server, or it is not for this caller. */
  static UpstreamException unknown(ServerName server) {
    return new UpstreamException(
        UpstreamException.Kind.UNKNOWN, "there is no upstream server called " + server);
  }
}
