package io.runstone.mcp.modern;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.modern.server.McpFeature;
import io.modelcontextprotocol.modern.server.feature.McpAsyncTool;
import io.runstone.mcp.feature.Features;
import java.util.List;

/** Features that only clients without sessions can use, such as answers in several rounds. */
public interface ModernFeatures extends Features {
  /** More tools. */
  default List<McpAsyncTool> modernTools(McpJsonMapper json) {
    return List.of();
  }

  /** More methods. */
  default List<McpFeature> modernFeatures(McpJsonMapper json) {
    return List.of();
  }
}
