package io.runstone.upstream.oauth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Proof that who redeems a code is who asked for it: RFC 7636 with S256. Pure but for chance. */
public final class Pkce {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 32;

  private Pkce() {}

  /** 256 random bits, as they can stand in an address or a cookie. */
  public static String random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return encoded(bytes);
  }

  /** What is told at first of a verifier. */
  public static String challenge(String verifier) {
    try {
      return encoded(
          MessageDigest.getInstance("SHA-256")
              .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
