package io.runstone.security.apikey;

import io.runstone.security.Scope;
import io.runstone.security.UserId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the file of keys: {@code id user scope,scope created sha256:salt:hash}. The key itself
 * has 256 random bits, so one round of SHA-256 is enough and nobody can guess it. Immutable.
 */
final class KeyLine {
  private static final Pattern KEY = Pattern.compile("rsk_([0-9a-f]{12})_[A-Za-z0-9_-]{43}");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{12}");
  private static final int FIELDS = 5;
  private static final int HASH_BYTES = 32;
  private static final int MIN_SALT_BYTES = 16;

  private final String id;
  private final UserId user;
  private final Set<Scope> scopes;
  private final Set<String> upstreams;
  private final byte[] salt;
  private final byte[] hash;

  private KeyLine(String id, UserId user, Labels labels, byte[] salt, byte[] hash) {
    this.id = id;
    this.user = user;
    this.scopes = Set.copyOf(labels.scopes());
    this.upstreams = Set.copyOf(labels.upstreams());
    this.salt = salt;
    this.hash = hash;
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none; the message repeats nothing of it
   */
  static KeyLine parse(String line) {
    List<String> fields = Arrays.asList(line.strip().split("\\s+"));
    if (fields.size() != FIELDS || !ID.matcher(fields.get(0)).matches()) {
      throw new IllegalArgumentException("expected id, user, scopes, time and hash");
    } else if (!UserId.isOne(fields.get(1))) {
      throw new IllegalArgumentException("the user's name is too long");
    }
    List<String> parts = Arrays.asList(fields.get(4).split(":", -1));
    if (parts.size() != 3 || !parts.get(0).equals("sha256")) {
      throw new IllegalArgumentException("expected sha256:salt:hash");
    }
    byte[] salt = Base64.getUrlDecoder().decode(parts.get(1));
    byte[] digest = Base64.getUrlDecoder().decode(parts.get(2));
    if (salt.length < MIN_SALT_BYTES || digest.length != HASH_BYTES) {
      throw new IllegalArgumentException("the salt or the hash is cut off");
    }
    return new KeyLine(
        fields.get(0), new UserId(fields.get(1)), labels(fields.get(2)), salt, digest);
  }

  private record Labels(Set<Scope> scopes, Set<String> upstreams) {}

  private static Labels labels(String text) {
    List<String> labels = Arrays.asList(text.split(",", -1));
    Labels known = new Labels(Scope.allOf(labels), Scope.upstreamsOf(labels));
    if (known.scopes().size() + known.upstreams().size() < Set.copyOf(labels).size()) {
      throw new IllegalArgumentException("there is no such scope");
    }
    return known;
  }

  /** The id in a key, which is no secret. */
  static Optional<String> idOf(String key) {
    Matcher matcher = KEY.matcher(key);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  String id() {
    return id;
  }

  UserId user() {
    return user;
  }

  Set<Scope> scopes() {
    return scopes;
  }

  /** Upstream servers that the key may use, whatever its scopes say. */
  Set<String> upstreams() {
    return upstreams;
  }

  /** Whether this is the line of a key; takes as long for any. */
  boolean isOf(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      return MessageDigest.isEqual(hash, digest.digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
