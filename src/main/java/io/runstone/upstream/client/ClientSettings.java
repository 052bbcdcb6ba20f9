package io.runstone.upstream.client;

import java.time.Duration;

/**
 * What the client is called, and its bounds.
 *
 * @param name as servers are told
 * @param version as servers are told
 * @param maxBytes the largest answer that is taken
 * @param connectTimeout how long opening a conversation may take
 * @param answerTimeout how long an answer may take for which nothing else is said
 * @param linger how long what is shared by conversations is kept after the last of them
 */
public record ClientSettings(
    String name,
    String version,
    int maxBytes,
    Duration connectTimeout,
    Duration answerTimeout,
    Duration linger) {

  /** With the usual bounds. */
  public static ClientSettings of(String name, String version, int maxBytes) {
    return new ClientSettings(
        name,
        version,
        maxBytes,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60));
  }
}
