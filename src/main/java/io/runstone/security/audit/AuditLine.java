package io.runstone.security.audit;

import io.runstone.security.Requester;
import io.runstone.security.Sha256;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the log, chained to the one before it. Pure and immutable.
 *
 * <p>INVARIANT: a line is printable ASCII, so its characters are its bytes; and {@code hash} is its
 * last member, the SHA-256 of the line as it is without that member.
 *
 * @param sequence counts the lines of a chain, from 1
 * @param text the line without its end
 * @param hash its hash
 */
record AuditLine(long sequence, String text, String hash) {
  /** What comes before the first line of a chain. */
  static final AuditLine NONE = new AuditLine(0, "", "0".repeat(64));

  private static final int MAX_VALUE = 256;
  private static final char LAST_PRINTABLE = 0x7e;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Pattern FORM =
      Pattern.compile(
          "(\\{\"sequence\":([0-9]{1,18}),.*\"previous\":\"[0-9a-f]{64}\"),\"hash\":\"([0-9a-f]{64})\"}");

  /** The line that follows another. */
  static AuditLine after(AuditLine previous, AuditEvent event) {
    long sequence = previous.sequence + 1;
    StringBuilder json = new StringBuilder(512);
    json.append("{\"sequence\":").append(sequence);
    add(json, "time", TIME.format(event.time()));
    add(json, "action", event.action().label());
    add(json, "outcome", event.result().outcome());
    add(json, "reason", event.result().reason());
    event.requester().ifPresent(requester -> add(json, requester));
    add(json, "session", event.subject().session());
    add(json, "execution", event.subject().execution());
    add(json, "code_sha256", event.subject().codeSha256());
    add(json, "tool", event.subject().tool());
    add(json, "address", event.subject().origin());
    event.result().bytes().ifPresent(bytes -> add(json, "bytes", bytes));
    event.result().milliseconds().ifPresent(millis -> add(json, "milliseconds", millis));
    add(json, "previous", previous.hash);
    String hash = Sha256.hex(json + "}");
    add(json, "hash", hash);
    return new AuditLine(sequence, json.append('}').toString(), hash);
  }

  /** Reads a line; empty if it is none, or was changed. */
  static Optional<AuditLine> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches() && Sha256.hex(matcher.group(1) + "}").equals(matcher.group(3))
        ? Optional.of(new AuditLine(Long.parseLong(matcher.group(2)), text, matcher.group(3)))
        : Optional.empty();
  }

  private static void add(StringBuilder json, Requester requester) {
    add(json, "user", requester.user().value());
    add(json, "client", requester.client());
    add(json, "address", requester.address());
  }

  private static void add(StringBuilder json, String name, long value) {
    json.append(",\"").append(name).append("\":").append(value);
  }

  /** Leaves out what is empty, and the rest of what is too long. */
  private static void add(StringBuilder json, String name, String value) {
    if (value.isEmpty()) {
      return;
    }
    json.append(",\"").append(name).append("\":\"");
    for (int i = 0; i < value.length() && i < MAX_VALUE; i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || c > LAST_PRINTABLE) {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
