package io.runstone.upstream.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What may stand in a header, MCP 2026-07-28, "Value Encoding". Pure. */
final class HeaderText {
  private static final String PREFIX = "=?base64?";
  private static final String SUFFIX = "?=";

  private HeaderText() {}

  /** Whether a text has visible ASCII characters and spaces only. */
  static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= 0x20 && c <= 0x7E);
  }

  /** Whether a text can be a header's name. */
  static boolean isToken(String text) {
    return !text.isEmpty()
        && text.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  /** A text as a header has it: as it is, or in base64 if it would not survive that. */
  static String encode(String text) {
    boolean survives =
        isPlain(text)
            && text.equals(text.strip())
            && !(text.startsWith(PREFIX) && text.endsWith(SUFFIX));
    return survives
        ? text
        : PREFIX
            + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
            + SUFFIX;
  }
}
