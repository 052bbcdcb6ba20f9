package io.runstone.security.jwt;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.util.List;

/** Keys that nobody should take. */
final class WeakKeys {
  private WeakKeys() {}

  static String json() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(1024);
      return new JWKSet(
              List.of(
                  new OctetSequenceKey.Builder(new byte[64]).keyID("key-1").build(),
                  new RSAKey.Builder((RSAPublicKey) generator.generateKeyPair().getPublic())
                      .keyID("key-1")
                      .build()))
          .toString(false);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
