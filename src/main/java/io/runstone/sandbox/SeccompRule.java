package io.runstone.sandbox;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One line of {@code seccomp.table}; immutable.
 *
 * @param name of the system call
 * @param action what becomes of it when all conditions hold
 * @param numbers of the system call where it exists
 * @param conditions on its arguments, all of which have to hold
 */
record SeccompRule(
    String name,
    SeccompAction action,
    Map<SeccompArch, Integer> numbers,
    List<SeccompCondition> conditions) {
  SeccompRule {
    numbers = Map.copyOf(numbers);
    conditions = List.copyOf(conditions);
  }

  /**
   * Reads one line.
   *
   * @throws IllegalArgumentException if it does not follow the table's own description
   */
  static SeccompRule parse(String line) {
    String[] columns = line.strip().split("\\s+");
    if (columns.length < 4) {
      throw new IllegalArgumentException("not name, result and two numbers: " + line);
    }
    Map<SeccompArch, Integer> numbers = new EnumMap<>(SeccompArch.class);
    for (SeccompArch arch : SeccompArch.values()) {
      String number = columns[arch.column()];
      if (!number.equals("-")) {
        numbers.put(arch, Integer.valueOf(number));
      }
    }
    return new SeccompRule(
        columns[0],
        SeccompAction.valueOf(columns[1]),
        numbers,
        Arrays.stream(columns).skip(4).map(SeccompCondition::parse).toList());
  }
}
