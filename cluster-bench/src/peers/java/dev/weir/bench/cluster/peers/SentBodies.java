package dev.weir.bench.cluster.peers;

import dev.weir.bench.verify.Payload;
import java.util.zip.CRC32C;

/** The bodies that were sent to a peer, with the numbers from 0 on. For one thread at a time. */
final class SentBodies {
  private static final long SEED = 23;

  private final Payload payload;
  private final CRC32C crc = new CRC32C();
  private long count;

  SentBodies(int bytes) {
    payload = new Payload(SEED, bytes);
  }

  /** The body to send next. */
  byte[] next() {
    byte[] body = payload.create(count++);
    crc.update(body);
    return body;
  }

  /** Whether it is the body with this number. */
  boolean matches(long number, byte[] body) {
    return body != null && payload.contentMatches(number, body);
  }

  /** How many there are. */
  long count() {
    return count;
  }

  /** What a replica that has all of them, in order, answers: their number and the CRC32C of all. */
  String digest() {
    return digest(count, crc);
  }

  /** The answer of a replica that has so many bodies with this CRC32C. */
  static String digest(long count, CRC32C crc) {
    return count + " bodies, CRC32C " + Long.toHexString(crc.getValue());
  }
}
