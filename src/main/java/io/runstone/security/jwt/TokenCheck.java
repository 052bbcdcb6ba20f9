package io.runstone.security.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.runstone.config.AuthSettings;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a token, RFC 7519 and RFC 8725: that an issuer of ours signed it, for this server, and
 * that it holds now. Which key and which kind of key it is signed with is never the token's to say:
 * only algorithms that were configured are taken, with keys that the issuer publishes. Thread-safe.
 */
final class TokenCheck {
  private static final int MAX_CHARS = 16 * 1024;

  /** RFC 9068, and what most issuers write; others, such as of a logout, are no login. */
  private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

  private final AuthSettings.Jwt settings;
  private final Map<String, IssuerKeys> issuers;
  private final Clock clock;

  /** A token that is none of ours; the message says why without repeating anything of it. */
  static final class BadTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    BadTokenException(String message) {
      super(message);
    }
  }

  TokenCheck(AuthSettings.Jwt settings, Map<String, IssuerKeys> issuers, Clock clock) {
    this.settings = settings;
    this.issuers = Map.copyOf(issuers);
    this.clock = clock;
  }

  /** What a token says, if it is right. */
  JWTClaimsSet check(String token) throws BadTokenException, IssuerKeys.UnavailableException {
    JWTClaimsSet claims = signed(token);
    if (claims.getAudience().stream().noneMatch(settings.audiences()::contains)) {
      throw new BadTokenException("the token is meant for another server");
    }
    checkTimes(claims);
    return claims;
  }

  /**
   * What an ID token says, if it is the one that was asked for: OpenID Connect Core 1.0, section
   * 3.1.3.7.
   */
  JWTClaimsSet checkIdToken(String token, JwtLogin.Expected expected)
      throws BadTokenException, IssuerKeys.UnavailableException {
    JWTClaimsSet claims = signed(token);
    List<String> audience = claims.getAudience();
    Object party = claims.getClaim("azp");
    if (!expected.issuer().equals(claims.getIssuer())) {
      throw new BadTokenException("the token is from another issuer");
    } else if (!audience.contains(expected.clientId())
        || (audience.size() > 1 && party == null)
        || (party != null && !party.equals(expected.clientId()))) {
      throw new BadTokenException("the token is meant for another client");
    } else if (!expected.nonce().equals(claims.getClaim("nonce"))) {
      throw new BadTokenException("the token is that of another login");
    }
    checkTimes(claims);
    return claims;
  }

  private JWTClaimsSet signed(String token)
      throws BadTokenException, IssuerKeys.UnavailableException {
    SignedJWT parsed;
    JWTClaimsSet claims;
    try {
      if (token.length() > MAX_CHARS) {
        throw new BadTokenException("the token is too long");
      }
      parsed = SignedJWT.parse(token);
      claims = parsed.getJWTClaimsSet();
    } catch (ParseException | IllegalArgumentException e) {
      throw new BadTokenException("the token is not a signed JWT");
    }
    checkHeader(parsed.getHeader());
    IssuerKeys keys = issuers.get(String.valueOf(claims.getIssuer()));
    if (keys == null) {
      throw new BadTokenException("the token is from another issuer");
    }
    checkSignature(parsed, keys);
    return claims;
  }

  private void checkHeader(JWSHeader header) throws BadTokenException {
    if (!settings.algorithms().contains(header.getAlgorithm().getName())) {
      throw new BadTokenException("the algorithm of the signature is not one that is taken");
    }
    JOSEObjectType type = header.getType();
    if (type != null && !TYPES.contains(type.getType().toLowerCase(Locale.ROOT))) {
      throw new BadTokenException("the token is not an access token");
    }
  }

  private static void checkSignature(SignedJWT token, IssuerKeys keys)
      throws BadTokenException, IssuerKeys.UnavailableException {
    List<JWK> candidates = keys.select(JWKMatcher.forJWSHeader(token.getHeader()));
    for (JWK key : candidates) {
      if (isSignedWith(token, key)) {
        return;
      }
    }
    throw new BadTokenException(
        candidates.isEmpty()
            ? "the token is signed with a key that its issuer does not have"
            : "the signature of the token is wrong");
  }

  private static boolean isSignedWith(SignedJWT token, JWK key) {
    try {
      JWSVerifier verifier = verifier(key);
      return verifier != null && token.verify(verifier);
    } catch (JOSEException e) { // such as a curve that does not go with the algorithm
      return false;
    }
  }

  /** By the kind of the key, not by what the token says. */
  private static @Nullable JWSVerifier verifier(JWK key) throws JOSEException {
    if (key instanceof RSAKey rsa) {
      return new RSASSAVerifier(rsa.toRSAPublicKey());
    }
    return key instanceof ECKey ec ? new ECDSAVerifier(ec.toECPublicKey()) : null;
  }

  private void checkTimes(JWTClaimsSet claims) throws BadTokenException {
    Instant now = clock.instant();
    Date expires = claims.getExpirationTime();
    if (expires == null) {
      throw new BadTokenException("the token has no time of expiry");
    } else if (!expires.toInstant().plus(settings.clockSkew()).isAfter(now)) {
      throw new BadTokenException("the token has expired");
    }
    Date begins = claims.getNotBeforeTime();
    if (begins != null && begins.toInstant().minus(settings.clockSkew()).isAfter(now)) {
      throw new BadTokenException("the token is not valid yet");
    }
  }
}
