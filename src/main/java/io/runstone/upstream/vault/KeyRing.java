package io.runstone.upstream.vault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of {@code runstone.upstream.keys-file}, a line {@code id base64} each: the first
 * encrypts, all decrypt, so that keys can be changed while the server runs. Thread-safe.
 *
 * <p>What is sealed begins with the version of the format and the key's id. Both, and the words
 * that say what it is, are authenticated with it: it can't be opened as anything else.
 */
public final class KeyRing {
  private static final byte FORMAT = 1;
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

  private final Optional<SecretFile> file;
  private final SecureRandom random = new SecureRandom();

  private record Key(String id, SecretKey key) {
    @Override
    public String toString() {
      return "Key[" + id + "]";
    }
  }

  /** The keys of a file; without one nothing can be encrypted. */
  public KeyRing(Optional<SecretFile> file) {
    this.file = file;
  }

  /**
   * Makes sure that there is a key to encrypt with.
   *
   * @throws UnusableSecretException if there is none
   */
  public void check() throws UnusableSecretException {
    keys();
  }

  /**
   * Encrypts with the first key.
   *
   * @param words what it is, and whose
   */
  public byte[] seal(byte[] plain, List<String> words) throws UnusableSecretException {
    Key key = keys().get(0);
    byte[] id = key.id().getBytes(StandardCharsets.US_ASCII);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] head =
        ByteBuffer.allocate(2 + id.length).put(FORMAT).put((byte) id.length).put(id).array();
    byte[] body = crypt(Cipher.ENCRYPT_MODE, key, nonce, plain, bound(head, words));
    return ByteBuffer.allocate(head.length + nonce.length + body.length)
        .put(head)
        .put(nonce)
        .put(body)
        .array();
  }

  /**
   * Decrypts.
   *
   * @throws UnusableSecretException if it was changed, is something else, or its key is gone
   */
  public byte[] open(byte[] sealed, List<String> words) throws UnusableSecretException {
    if (sealed.length < 2 + NONCE_BYTES || sealed[0] != FORMAT) {
      throw new UnusableSecretException("it is not of a format that this version knows");
    }
    int head = 2 + Byte.toUnsignedInt(sealed[1]);
    int body = head + NONCE_BYTES;
    if (sealed.length < body + TAG_BITS / 8) {
      throw new UnusableSecretException("it is cut off");
    }
    String id = new String(sealed, 2, head - 2, StandardCharsets.US_ASCII);
    Key key =
        keys().stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(
                () -> new UnusableSecretException("its key is not in the file of keys any more"));
    return crypt(
        Cipher.DECRYPT_MODE,
        key,
        Arrays.copyOfRange(sealed, head, body),
        Arrays.copyOfRange(sealed, body, sealed.length),
        bound(Arrays.copyOf(sealed, head), words));
  }

  private static byte[] crypt(int mode, Key key, byte[] nonce, byte[] text, byte[] bound)
      throws UnusableSecretException {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key.key(), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(bound);
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new UnusableSecretException("it was changed, or is not what it is taken for");
    }
  }

  /** Each word with its length before it, so that no two lists of words are the same. */
  private static byte[] bound(byte[] head, List<String> words) {
    List<byte[]> parts = words.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
    ByteBuffer all =
        ByteBuffer.allocate(head.length + parts.stream().mapToInt(part -> 4 + part.length).sum());
    all.put(head);
    parts.forEach(part -> all.putInt(part.length).put(part));
    return all.array();
  }

  /** The keys, the one that encrypts first. */
  private List<Key> keys() throws UnusableSecretException {
    List<String> lines =
        file.orElseThrow(() -> new UnusableSecretException("there is no file of keys")).lines();
    List<Key> keys =
        lines.stream().map(KeyRing::key).filter(key -> ID.matcher(key.id()).matches()).toList();
    Set<String> ids = new HashSet<>();
    keys.forEach(key -> ids.add(key.id()));
    if (keys.isEmpty() || keys.size() != lines.size() || ids.size() != keys.size()) {
      throw new UnusableSecretException(
          "the file of keys has no line, or one that UpstreamKeys did not write, or one twice");
    }
    return keys;
  }

  /** Without an id if it is none; Base64 quotes what it can't read, so that is kept back. */
  private static Key key(String line) {
    List<String> fields = Arrays.asList(line.split("\\s+"));
    byte[] none = new byte[KEY_BYTES];
    try {
      byte[] bytes = fields.size() == 2 ? Base64.getDecoder().decode(fields.get(1)) : new byte[0];
      boolean right = bytes.length == KEY_BYTES;
      return new Key(right ? fields.get(0) : "", new SecretKeySpec(right ? bytes : none, "AES"));
    } catch (IllegalArgumentException e) {
      return new Key("", new SecretKeySpec(none, "AES"));
    }
  }
}
