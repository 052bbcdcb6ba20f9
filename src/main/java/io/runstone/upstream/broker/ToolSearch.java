package io.runstone.upstream.broker;

import io.runstone.upstream.UpstreamTool;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Finds tools by words. A tool is the better found the more of the words it has, and in its name
 * rather than in what it says of itself. Pure.
 */
final class ToolSearch {
  private static final Pattern BREAKS = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final int WHOLE_NAME = 8;
  private static final int IN_NAME = 4;
  private static final int IN_SERVER = 2;
  private static final int IN_DESCRIPTION = 1;

  private record Scored(UpstreamTool tool, int score) {}

  private ToolSearch() {}

  /** The tools that have any of the words, the best first; all of them when there are no words. */
  static List<UpstreamTool> find(List<UpstreamTool> tools, String query, int limit) {
    List<String> words = BREAKS.splitAsStream(lower(query)).filter(w -> !w.isEmpty()).toList();
    return tools.stream()
        .map(tool -> new Scored(tool, score(tool, words) + exact(tool, query)))
        .filter(scored -> scored.score > 0 || words.isEmpty())
        .sorted(
            Comparator.comparingInt((Scored scored) -> -scored.score)
                .thenComparing(scored -> scored.tool.server())
                .thenComparing(scored -> scored.tool.name()))
        .limit(limit)
        .map(Scored::tool)
        .toList();
  }

  private static int score(UpstreamTool tool, List<String> words) {
    String name = lower(tool.name());
    String description = lower(tool.description());
    int score = 0;
    for (String word : words) {
      if (name.equals(word)) {
        score += WHOLE_NAME;
      } else if (name.contains(word)) {
        score += IN_NAME;
      } else if (tool.server().value().contains(word)) {
        score += IN_SERVER;
      } else if (description.contains(word)) {
        score += IN_DESCRIPTION;
      }
    }
    return score;
  }

  /** A tool that is asked for by its name comes first, whatever else has parts of it. */
  private static int exact(UpstreamTool tool, String query) {
    return tool.name().equalsIgnoreCase(query.strip()) ? WHOLE_NAME : 0;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
