package io.runstone.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * What an {@code Accept} header names. Immutable.
 *
 * @param ranges media ranges without parameters, in lower case; none accepts everything
 */
record MediaRanges(List<String> ranges) {
  static MediaRanges of(HttpServletRequest request) {
    return new MediaRanges(
        Collections.list(request.getHeaders("Accept")).stream()
            .flatMap(header -> Arrays.stream(header.split(",")))
            .map(MediaRanges::withoutParameters)
            .toList());
  }

  boolean accept(String type) {
    String family = type.substring(0, type.indexOf('/')) + "/*";
    return ranges.isEmpty()
        || ranges.stream().anyMatch(r -> r.equals(type) || r.equals(family) || r.equals("*/*"));
  }

  static String withoutParameters(String value) {
    return value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
