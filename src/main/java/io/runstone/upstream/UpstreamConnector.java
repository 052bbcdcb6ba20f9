package io.runstone.upstream;

import java.util.concurrent.CompletionStage;

/** The port to the network: opens conversations. Thread-safe; nothing in it waits. */
public interface UpstreamConnector extends AutoCloseable {
  /**
   * Opens a conversation: finds out which era the server speaks, and introduces itself. Fails with
   * an {@link UpstreamException}; nothing is left open then.
   *
   * @param toolsChanged is called whenever the server says that its tools are others
   */
  CompletionStage<UpstreamConnection> connect(
      UpstreamServer server, Authorizer authorizer, Runnable toolsChanged);

  /** Ends what all conversations share. */
  @Override
  void close();
}
