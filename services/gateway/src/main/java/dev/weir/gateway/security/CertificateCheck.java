package dev.weir.gateway.security;

import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.X509KeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a certificate and a key can serve: without this a key of another certificate is only
 * noticed when the first client fails.
 */
final class CertificateCheck {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateCheck.class);
  private static final byte[] PROBE = "weir".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private CertificateCheck() {}

  /**
   * Blocks for a moment.
   *
   * @throws IllegalArgumentException naming the files and what is wrong with them
   */
  static void check(Vertx vertx, KeyCertOptions pem, List<String> paths) {
    X509Certificate certificate;
    try {
      X509KeyManager keys = (X509KeyManager) pem.getKeyManagerFactory(vertx).getKeyManagers()[0];
      String alias = alias(keys);
      certificate = keys.getCertificateChain(alias)[0];
      requirePair(certificate, keys.getPrivateKey(alias));
    } catch (Exception e) {
      throw new IllegalArgumentException(
          "no certificate with its key in " + paths + ": " + e.getMessage(), e);
    }
    if (certificate.getNotAfter().toInstant().isBefore(Instant.now())) {
      LOG.warn("The certificate in {} has expired on {}", paths, certificate.getNotAfter());
    }
  }

  private static String alias(X509KeyManager keys) throws GeneralSecurityException {
    for (String type : List.of("RSA", "EC", "EdDSA", "Ed25519")) {
      String[] aliases = keys.getServerAliases(type, null);
      if (aliases != null && aliases.length > 0) {
        return aliases[0];
      }
    }
    throw new GeneralSecurityException("there is no RSA, EC or EdDSA key");
  }

  private static void requirePair(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm(key));
    signature.initSign(key);
    signature.update(PROBE);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(PROBE);
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the key is not that of the certificate");
    }
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }
}
