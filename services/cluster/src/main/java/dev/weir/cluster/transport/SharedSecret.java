package dev.weir.cluster.transport;

import dev.weir.options.Checks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that members and clients share. Nobody sends it: each end proves that it knows it, by an
 * HMAC over random numbers of both. It says who is at the other end when a connection begins;
 * against somebody who changes what is on its way only TLS helps.
 */
public final class SharedSecret {
  private static final int LEAST_BYTES = 16;
  private static final int NONCE_BYTES = 16;
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  private SharedSecret(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /**
   * Reads a secret: the bytes of a file, without white space at its end.
   *
   * @param file null for none
   * @return null for none
   * @throws IllegalArgumentException if it cannot be read, or has less than 16 bytes
   */
  public static SharedSecret read(String option, Path file) {
    if (file == null) {
      return null;
    }
    try {
      byte[] secret =
          new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
              .stripTrailing()
              .getBytes(StandardCharsets.ISO_8859_1);
      if (secret.length < LEAST_BYTES) {
        throw Checks.notAllowed(option, file, "a file with at least " + LEAST_BYTES + " bytes");
      }
      return new SharedSecret(secret);
    } catch (IOException e) {
      throw Checks.notAllowed(option, file, "a file that can be read: " + e);
    }
  }

  /** A random number, as text. */
  public String nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }

  /** What only who knows the secret can say of these texts. */
  public String proof(String... texts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (String text : texts) {
        mac.update(text.getBytes(StandardCharsets.UTF_8));
        mac.update((byte) 0);
      }
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether it is the proof of these texts. */
  public boolean isProof(String proof, String... texts) {
    return MessageDigest.isEqual(
        proof.getBytes(StandardCharsets.UTF_8), proof(texts).getBytes(StandardCharsets.UTF_8));
  }
}
