package io.runstone.session;

import io.runstone.kernel.ExecutionId;
import io.runstone.kernel.ExecutionResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Names an output that can be fetched.
 *
 * @param execution whose output it is
 * @param number which one, from 0
 * @param mediaType what it is
 * @param name what it is to people, such as {@code display_data} or {@code stdout}
 * @param size in bytes
 */
public record OutputLink(
    ExecutionId execution, int number, String mediaType, String name, long size) {

  /** The path over REST. */
  public String path() {
    return "/v1/executions/" + execution + "/outputs/" + number;
  }

  /** The resource over MCP. */
  public String uri() {
    return "runstone://executions/" + execution + "/outputs/" + number;
  }

  /** The links of a result; what they lead to is kept for a while, then evicted. */
  public static List<OutputLink> of(ExecutionResult result) {
    return of(result.id(), StoredOutput.of(result));
  }

  static List<OutputLink> of(ExecutionId execution, List<StoredOutput> outputs) {
    List<OutputLink> links = new ArrayList<>();
    for (StoredOutput output : outputs) {
      links.add(
          new OutputLink(
              execution, links.size(), output.mediaType(), output.name(), output.size()));
    }
    return links;
  }
}
