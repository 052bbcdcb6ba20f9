package io.runstone.security.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every way in which a token can be wrong. Immutable. */
public final class BadTokens {
  private static final JOSEObjectType ACCESS = new JOSEObjectType("at+jwt");

  private final TestIssuer issuer;
  private final String scope;

  /** Wrong variants of a token that would grant those scopes. */
  public BadTokens(TestIssuer issuer, String scope) {
    this.issuer = issuer;
    this.scope = scope;
  }

  private JWTClaimsSet.Builder right() {
    return issuer.claims("anna", scope);
  }

  private static Date in(long seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  /** The tokens by what is wrong with them. */
  public Map<String, String> all() throws Exception {
    Map<String, String> all = new LinkedHashMap<>();
    String right = issuer.sign(right());
    String[] parts = right.split("\\.", -1);
    RSAKey foreign = new RSAKeyGenerator(2048).keyID(issuer.key().getKeyID()).generate();
    RSAKey unknown = new RSAKeyGenerator(2048).keyID("unknown").generate();
    all.put("garbage", "garbage");
    all.put("empty", "");
    all.put("dots", "..");
    all.put("nested", encoded("[".repeat(5000)) + "." + parts[1] + "." + parts[2]);
    all.put("expired", issuer.sign(right().expirationTime(in(-60))));
    all.put("without expiry", issuer.sign(right().expirationTime(null)));
    all.put("not yet valid", issuer.sign(right().notBeforeTime(in(120))));
    all.put("wrong audience", issuer.sign(right().audience("https://other.example/mcp")));
    all.put("longer audience", issuer.sign(right().audience(TestIssuer.AUDIENCE + ".evil")));
    all.put("without audience", issuer.sign(right().audience((String) null)));
    all.put("wrong issuer", issuer.sign(right().issuer("https://evil.example")));
    all.put("without issuer", issuer.sign(right().issuer(null)));
    all.put("without user", issuer.sign(right().subject(null)));
    all.put("user with a line", issuer.sign(right().subject("anna\nroot")));
    all.put("algorithm none", new PlainJWT(right().build()).serialize());
    all.put("algorithm None", encoded("{\"alg\":\"None\"}") + "." + parts[1] + ".");
    all.put("key confusion", confused(issuer.key().toRSAPublicKey().getEncoded()));
    all.put(
        "key confusion, PEM",
        confused(
            ("-----BEGIN PUBLIC KEY-----\n"
                    + java.util.Base64.getMimeEncoder()
                        .encodeToString(issuer.key().toRSAPublicKey().getEncoded())
                    + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII)));
    all.put("signed by another, same key id", TestIssuer.sign(foreign, ACCESS, right()));
    all.put("unknown key", TestIssuer.sign(unknown, ACCESS, right()));
    all.put("key in the token", withOwnKey(foreign));
    all.put(
        "id token of a logout",
        TestIssuer.sign(issuer.key(), new JOSEObjectType("logout+jwt"), right()));
    all.put("unsigned", parts[0] + "." + parts[1] + ".");
    all.put("changed", parts[0] + "." + encoded(changed()) + "." + parts[2]);
    all.put("critical header", critical());
    all.put("too long", right + "A".repeat(20_000 - right.length()));
    return all;
  }

  private String changed() {
    return right().subject("root").build().toString();
  }

  /** HS256 with what everybody knows as the secret. */
  private String confused(byte[] secret) throws JOSEException {
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(issuer.key().getKeyID()).build(),
            new Payload(right().build().toJSONObject()));
    token.sign(new MACSigner(secret));
    return token.serialize();
  }

  private String withOwnKey(RSAKey own) throws JOSEException {
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(own.toPublicJWK()).build(),
            new Payload(right().build().toJSONObject()));
    token.sign(new RSASSASigner(own));
    return token.serialize();
  }

  private String critical() throws JOSEException {
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID(issuer.key().getKeyID())
                .criticalParams(java.util.Set.of("http://example.com/x"))
                .customParam("http://example.com/x", true)
                .build(),
            new Payload(right().build().toJSONObject()));
    token.sign(new RSASSASigner(issuer.key()));
    return token.serialize();
  }

  private static String encoded(String text) {
    return Base64URL.encode(text).toString();
  }
}
