package io.runstone.sandbox;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A test on the lower 32 bits of one argument of a system call; immutable.
 *
 * @param argument 0 to 5
 * @param kind how they are compared
 * @param values with what, at least one; for {@link Kind#ANY_BIT} exactly one
 */
record SeccompCondition(int argument, Kind kind, List<Integer> values) {
  private static final Pattern SYNTAX = Pattern.compile("arg([0-5])(&|!=|=)([0-9a-fx,]+)");

  enum Kind {
    ANY_BIT,
    ONE_OF,
    NONE_OF
  }

  SeccompCondition {
    values = List.copyOf(values);
    if (values.isEmpty() || (kind == Kind.ANY_BIT && values.size() > 1)) {
      throw new IllegalArgumentException("a condition has values, a bit mask exactly one");
    }
  }

  /**
   * Reads a condition as {@code seccomp.table} has it.
   *
   * @throws IllegalArgumentException if it is not one
   */
  static SeccompCondition parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a condition: " + text);
    }
    Kind kind =
        switch (matcher.group(2)) {
          case "&" -> Kind.ANY_BIT;
          case "=" -> Kind.ONE_OF;
          default -> Kind.NONE_OF;
        };
    List<Integer> values =
        Arrays.stream(matcher.group(3).split(",", -1))
            .map(value -> Long.decode(value).intValue())
            .toList();
    return new SeccompCondition(Integer.parseInt(matcher.group(1)), kind, values);
  }
}
