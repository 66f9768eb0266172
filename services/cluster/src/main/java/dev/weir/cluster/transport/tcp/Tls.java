package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.NodeOptions;
import dev.weir.options.Checks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS between members: both ends show a certificate, and take one that an authority they trust has
 * signed. Names in certificates are not compared, as members have addresses that change.
 */
final class Tls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final List<String> KEY_TYPES = List.of("RSA", "EC", "Ed25519");
  private static final char[] NO_PASSWORD = {};

  private final SSLContext context;

  private Tls(SSLContext context) {
    this.context = context;
  }

  /**
   * @return null if the options name no certificates
   * @throws IllegalArgumentException naming the option whose file cannot be used
   */
  static Tls of(NodeOptions options) {
    if (options.getTlsCertificates() == null) {
      return null;
    }
    Collection<? extends Certificate> own =
        certificates("tlsCertificates", options.getTlsCertificates());
    Collection<? extends Certificate> trusted = certificates("tlsTrusted", options.getTlsTrusted());
    PrivateKey key = key(options.getTlsKey());
    try {
      KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
      keys.load(null, null);
      keys.setKeyEntry("member", key, NO_PASSWORD, own.toArray(new Certificate[0]));
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, NO_PASSWORD);
      KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
      authorities.load(null, null);
      int number = 0;
      for (Certificate authority : trusted) {
        authorities.setCertificateEntry("authority" + number++, authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
      return new Tls(context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "tlsKey is "
              + options.getTlsKey()
              + ", allowed is the key of the first certificate of tlsCertificates: "
              + e.getMessage(),
          e);
    }
  }

  private static Collection<? extends Certificate> certificates(String option, Path file) {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
      if (!all.isEmpty()) {
        return all;
      }
      throw Checks.notAllowed(option, file, "a file with certificates in PEM, it has none");
    } catch (IOException | GeneralSecurityException e) {
      throw Checks.notAllowed(option, file, "a file with certificates in PEM: " + e);
    }
  }

  private static PrivateKey key(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      String base64 = text.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
      PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
      for (String type : KEY_TYPES) {
        PrivateKey key = key(type, spec);
        if (key != null) {
          return key;
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw notAKey(file, ": " + e);
    }
    throw notAKey(file, "");
  }

  private static PrivateKey key(String type, PKCS8EncodedKeySpec spec) {
    try {
      return KeyFactory.getInstance(type).generatePrivate(spec);
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  private static IllegalArgumentException notAKey(Path file, String why) {
    return Checks.notAllowed(
        "tlsKey", file, "a file with one key in PEM, PKCS #8, without a password" + why);
  }

  SSLEngine engine(boolean dials) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(dials);
    engine.setEnabledProtocols(PROTOCOLS);
    if (!dials) {
      engine.setNeedClientAuth(true);
    }
    return engine;
  }
}
