package io.runstone.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Configuration values by their key, checked. What can't be used is an {@link
 * IllegalArgumentException} that names the key, the value and what is expected. Immutable.
 */
abstract class ConfigValues {
  private static final Pattern MODULE = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");

  private final Function<String, Optional<String>> values;

  ConfigValues(UnaryOperator<String> values) {
    this.values = key -> Optional.ofNullable(values.apply(key)).filter(v -> !v.isBlank());
  }

  final Optional<String> text(String key) {
    return values.apply(key).map(String::strip);
  }

  final long number(String key, long fallback, long min, long max) {
    Optional<String> value = text(key);
    if (value.isEmpty()) {
      return fallback;
    }
    try {
      long number = Long.parseLong(value.orElseThrow());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw bad(key, value.orElseThrow(), "a whole number", e);
    }
    throw bad(key, value.orElseThrow(), "a whole number from " + min + " to " + max);
  }

  final Duration duration(String key, Duration fallback) {
    Optional<String> value = text(key);
    if (value.isEmpty()) {
      return fallback;
    }
    try {
      Duration duration = Duration.parse(value.orElseThrow());
      if (!duration.isNegative() && !duration.isZero()) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      throw bad(key, value.orElseThrow(), "an ISO 8601 duration such as PT30S or PT5M", e);
    }
    throw bad(key, value.orElseThrow(), "a duration above zero");
  }

  /** The parts of a value that has commas between them. */
  static List<String> list(String value) {
    return Arrays.stream(value.split(","))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  final Set<String> hosts(String key) {
    return text(key).stream()
        .flatMap(value -> list(value).stream())
        .map(host -> host.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The first is the default. */
  final String oneOf(String key, String... choices) {
    String value = text(key).orElse(choices[0]);
    if (!Arrays.asList(choices).contains(value)) {
      throw bad(key, value, "one of " + String.join(", ", choices));
    }
    return value;
  }

  final List<String> modules(String key) {
    List<String> modules = text(key).map(ConfigValues::list).orElse(List.of());
    for (String module : modules) {
      if (!MODULE.matcher(module).matches()) {
        throw bad(key, module, "names of Python modules, comma-separated");
      }
    }
    return modules;
  }

  static Path path(String key, String value) {
    try {
      Path path = Path.of(value);
      if (path.isAbsolute()) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw bad(key, value, "an absolute path", e);
    }
    throw bad(key, value, "an absolute path");
  }

  static IllegalArgumentException bad(String key, String value, String expected) {
    return new IllegalArgumentException(key + "=" + value + ": expected " + expected);
  }

  static IllegalArgumentException bad(String key, String value, String expected, Exception cause) {
    return new IllegalArgumentException(key + "=" + value + ": expected " + expected, cause);
  }
}
