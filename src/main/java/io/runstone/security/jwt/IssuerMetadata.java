package io.runstone.security.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import io.runstone.config.AuthSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.ParseException;
import java.util.List;
import java.util.Map;

/**
 * The keys of an issuer as it publishes them: at a configured address, or where its metadata says
 * (OpenID Connect Discovery 1.0, then RFC 8414). Immutable.
 */
record IssuerMetadata(AuthSettings.Issuer issuer, BoundedFetch source) implements KeySource {
  private static final int MIN_RSA_BITS = 2048;
  private static final int MAX_KEYS = 100;

  @Override
  public JWKSet fetch() throws BoundedFetch.FetchException {
    URI uri = issuer.keys().isPresent() ? issuer.keys().orElseThrow() : discover();
    JWKSet all;
    try {
      all = JWKSet.parse(source.json(uri));
    } catch (ParseException e) {
      throw new BoundedFetch.FetchException("its keys are not a JSON Web Key Set");
    }
    List<JWK> usable = all.getKeys().stream().filter(IssuerMetadata::isUsable).toList();
    if (usable.isEmpty() || all.size() > MAX_KEYS) {
      throw new BoundedFetch.FetchException("it publishes no usable key, or more than " + MAX_KEYS);
    }
    return new JWKSet(usable).toPublicJWKSet();
  }

  /** A symmetric key among them would be known to everybody; a short one can be computed. */
  private static boolean isUsable(JWK key) {
    try {
      return (key instanceof RSAKey rsa
              && rsa.toRSAPublicKey().getModulus().bitLength() >= MIN_RSA_BITS)
          || key instanceof ECKey;
    } catch (JOSEException e) {
      return false;
    }
  }

  private URI discover() throws BoundedFetch.FetchException {
    Map<String, Object> metadata;
    try {
      metadata = source.json(openId());
    } catch (BoundedFetch.AbsentException e) {
      metadata = source.json(oauth());
    }
    if (!issuer.name().equals(metadata.get("issuer"))) {
      throw new BoundedFetch.FetchException("its metadata is that of another issuer");
    }
    try {
      URI uri = new URI(String.valueOf(metadata.get("jwks_uri")));
      BoundedFetch.checkProtected(uri);
      return uri;
    } catch (URISyntaxException e) {
      throw new BoundedFetch.FetchException("its metadata has no jwks_uri");
    }
  }

  private URI openId() {
    return URI.create(issuer.name().replaceAll("/+$", "") + "/.well-known/openid-configuration");
  }

  /** RFC 8414, section 3.1: the well-known part comes before the issuer's path. */
  private URI oauth() {
    URI uri = URI.create(issuer.name());
    String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
    return URI.create(
        uri.getScheme()
            + "://"
            + uri.getRawAuthority()
            + "/.well-known/oauth-authorization-server"
            + path);
  }
}
