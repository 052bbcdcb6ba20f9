package io.runstone.security.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An OpenID provider on loopback: it publishes metadata and keys over HTTP, signs tokens, gets new
 * keys, and misbehaves as a test wants. Thread-safe.
 */
public final class TestIssuer implements AutoCloseable {
  /** Who tokens are meant for, unless a test says otherwise. */
  public static final String AUDIENCE = "https://runstone.example/mcp";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicInteger fetches = new AtomicInteger();
  private final AtomicInteger generations = new AtomicInteger();
  private volatile RSAKey key;
  private volatile Mood mood = Mood.GOOD;

  /** How it answers who asks for its keys. */
  public enum Mood {
    GOOD,
    DOWN,
    /** It sends its answer byte by byte, and never ends. */
    DRIPPING,
    SILENT,
    HUGE,
    NO_JSON,
    NO_KEYS,
    /** It publishes a symmetric key, and RSA keys that are too short. */
    WEAK_KEYS,
    /** It says that it is another issuer. */
    OTHER_NAME,
    /** It sends whoever asks somewhere else. */
    REDIRECT
  }

  /** Starts it. */
  public TestIssuer() throws IOException, JOSEException {
    key = newKey();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/.well-known/openid-configuration", this::metadata);
    server.createContext("/keys", this::keys);
    server.createContext(
        "/elsewhere", exchange -> answer(exchange, 200, new JWKSet(key).toString()));
    server.start();
  }

  private RSAKey newKey() throws JOSEException {
    return new RSAKeyGenerator(2048).keyID("key-" + generations.incrementAndGet()).generate();
  }

  /** Its name, as tokens have it. */
  public String name() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The key it signs with. */
  public RSAKey key() {
    return key;
  }

  /** How often somebody asked for its keys. */
  public int fetches() {
    return fetches.get();
  }

  /** Behaves like that from now on. */
  public void be(Mood now) {
    mood = now;
  }

  /** Signs with a new key from now on, and does not publish the old one any more. */
  public void rotate() throws JOSEException {
    key = newKey();
  }

  /** What a right token says. */
  public JWTClaimsSet.Builder claims(String user, String scope) {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(name())
        .subject(user)
        .audience(AUDIENCE)
        .claim("scope", scope)
        .claim("client_id", "test-client")
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  /** Signs a token. */
  public String sign(JWTClaimsSet.Builder claims) throws JOSEException {
    return sign(key, new JOSEObjectType("at+jwt"), claims);
  }

  /** Signs a token with any key, under the id of that key. */
  public static String sign(RSAKey with, JOSEObjectType type, JWTClaimsSet.Builder claims)
      throws JOSEException {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(with.getKeyID()).type(type).build(),
            claims.build());
    token.sign(new RSASSASigner(with));
    return token.serialize();
  }

  private void metadata(HttpExchange exchange) throws IOException {
    String claimed = mood == Mood.OTHER_NAME ? "https://evil.example" : name();
    answer(
        exchange,
        mood == Mood.DOWN ? 500 : 200,
        "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(claimed, name()));
  }

  private void keys(HttpExchange exchange) throws IOException {
    fetches.incrementAndGet();
    switch (mood) {
      case DOWN -> answer(exchange, 500, "");
      case SILENT -> pause(60_000);
      case DRIPPING -> drip(exchange);
      case HUGE -> answer(exchange, 200, "{\"keys\":[],\"x\":\"" + "x".repeat(10 << 20) + "\"}");
      case NO_JSON -> answer(exchange, 200, "<html>");
      case NO_KEYS -> answer(exchange, 200, "{\"keys\":[]}");
      case WEAK_KEYS -> answer(exchange, 200, WeakKeys.json());
      case REDIRECT -> {
        exchange.getResponseHeaders().set("Location", name() + "/elsewhere");
        answer(exchange, 302, "");
      }
      default -> answer(exchange, 200, new JWKSet(key).toString());
    }
  }

  private void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      while (!pause(200)) {
        out.write(' ');
        out.flush();
      }
    }
  }

  private boolean pause(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
