package dev.weir.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Hashes by which the gateway compares requests and names clients. */
public final class Fingerprint {
  /** Of a client's name: enough that no two clients share one. */
  private static final int CLIENT_BYTES = 12;

  private Fingerprint() {}

  /**
   * The fingerprint of a request body. Two requests with the same media type and the same bytes
   * have the same one.
   *
   * @param contentType null for none
   */
  public static String ofBody(String contentType, Buffer bytes) {
    MessageDigest digest = sha256();
    digest.update(String.valueOf(contentType).getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return encode(digest.digest(bytes.getBytes()));
  }

  /** A short name of a client that shows nothing of what the client is known by. */
  public static String ofClient(byte[] knownBy) {
    return encode(Arrays.copyOf(sha256().digest(knownBy), CLIENT_BYTES));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
