package io.runstone.kernel;

import java.util.UUID;

/** Names one execution, worldwide and unguessably. */
public record ExecutionId(String value) {
  /** Returns a new id. */
  public static ExecutionId random() {
    return new ExecutionId(UUID.randomUUID().toString());
  }

  @Override
  public String toString() {
    return value;
  }
}
