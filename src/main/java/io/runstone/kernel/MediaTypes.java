package io.runstone.kernel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Media types of rich output: which are binary, and which says most. Pure. */
public final class MediaTypes {
  /** Text that every rich output has. */
  public static final String PLAIN = "text/plain";

  private static final Set<String> BINARY =
      Set.of("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf");

  private static final List<String> RICHEST_FIRST =
      List.of(
          "image/png",
          "image/jpeg",
          "image/svg+xml",
          "image/gif",
          "image/webp",
          "application/pdf",
          "text/html",
          "text/markdown",
          "text/latex",
          "application/json");

  private MediaTypes() {}

  /** Whether its text in a bundle is base64. */
  public static boolean isBinary(String mediaType) {
    return BINARY.contains(mediaType);
  }

  /** The media type that shows most of an output; empty if it has plain text only. */
  public static Optional<String> richest(Map<String, String> bundle) {
    return RICHEST_FIRST.stream()
        .filter(bundle::containsKey)
        .findFirst()
        .or(
            () ->
                bundle.keySet().stream().filter(type -> !type.equals(PLAIN)).sorted().findFirst());
  }
}
