package io.runstone.kernel.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The table of {@code docs/reference/execution.md}. */
final class NastyPrograms {
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| ([a-z]+) \\| `(.+)` \\| ([a-z_]+) \\| ([a-z]+) \\| (?:`(.*)`|\u2013) \\|$");

  private NastyPrograms() {}

  /**
   * A program and what its result has to be.
   *
   * @param shows what the text has in it; may be empty
   */
  record Row(String kind, String program, String status, String state, String shows) {
    String code() {
      return program.replace("\\\\", "\u0000").replace("\\n", "\n").replace("\u0000", "\\");
    }

    @Override
    public String toString() {
      return kind + ": " + program;
    }
  }

  static List<Row> read() throws IOException {
    String page = Files.readString(Path.of("docs/reference/execution.md"));
    return ROW.matcher(page).results().map(NastyPrograms::row).toList();
  }

  private static Row row(MatchResult match) {
    String shows = match.group(5) == null ? "" : match.group(5);
    return new Row(match.group(1), match.group(2), match.group(3), match.group(4), shows);
  }
}
