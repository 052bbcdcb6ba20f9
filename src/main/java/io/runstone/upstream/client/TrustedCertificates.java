package io.runstone.upstream.client;

import io.runstone.upstream.UpstreamException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes the TLS configuration that trusts the certificates of a PEM file, and no others. Pure. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * Reads the file.
   *
   * @throws UpstreamException if that fails
   */
  static SSLContext read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + ++count, certificate);
      }
      if (count == 0) {
        throw unusable();
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw unusable();
    }
  }

  private static UpstreamException unusable() {
    return new UpstreamException(
        UpstreamException.Kind.UNAVAILABLE,
        "the file of certificates to trust for this server can't be used; the administrator has to"
            + " put PEM certificates there");
  }
}
