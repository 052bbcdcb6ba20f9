package io.runstone.sandbox;

import java.util.List;

/**
 * The rules, in order; immutable.
 *
 * @param rules of which the first that fits counts
 */
record SeccompTable(List<SeccompRule> rules) {
  SeccompTable {
    rules = List.copyOf(rules);
  }

  /**
   * Reads {@code seccomp.table}.
   *
   * @throws IllegalArgumentException if a line is neither blank, a comment nor a rule
   */
  static SeccompTable parse(String text) {
    return new SeccompTable(
        text.lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(SeccompRule::parse)
            .toList());
  }
}
