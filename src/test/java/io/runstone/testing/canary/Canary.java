package io.runstone.testing.canary;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A text that must not be where it does not belong. All of a run begin alike, so that a program can
 * look for them without having one in it. Immutable.
 *
 * @param name for messages of the test
 * @param text ASCII; of a new one letters and digits, as many as the secret part of an API key has
 */
public record Canary(String name, String text) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 15;

  /** How all of this run begin. */
  public static final String PREFIX = "Cny" + random(5);

  /** A new one. */
  public static Canary named(String name) {
    return new Canary(name, PREFIX + random(RANDOM_BYTES));
  }

  private static String random(int bytes) {
    byte[] made = new byte[bytes];
    RANDOM.nextBytes(made);
    return HexFormat.of().formatHex(made);
  }

  /** As a key of this server. */
  public String apiKey(String id) {
    return "rsk_" + id + "_" + text;
  }

  /** What it looks like when somebody encodes it; the longest run that no neighbour changes. */
  Map<String, byte[]> forms() {
    Map<String, byte[]> forms = new TreeMap<>();
    byte[] plain = bytes(text);
    forms.put("plain", plain);
    forms.put("UTF-16", text.getBytes(StandardCharsets.UTF_16LE));
    forms.put("reversed", bytes(new StringBuilder(text).reverse().toString()));
    forms.put("hex", bytes(HexFormat.of().formatHex(plain)));
    for (int skipped : List.of(0, 1, 2)) {
      int whole = (plain.length - skipped) / 3 * 3;
      byte[] middle = bytes(text.substring(skipped, skipped + whole));
      forms.put("Base64 from " + skipped, Base64.getEncoder().encode(middle));
    }
    return forms;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
