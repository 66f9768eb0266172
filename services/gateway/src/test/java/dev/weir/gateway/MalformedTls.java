package dev.weir.gateway;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** What no client of TLS should send, by a seed: instead of a handshake, within one or after it. */
final class MalformedTls {
  /**
   * @param handshaken whether the bytes come after a handshake
   */
  record Attempt(String kind, byte[] bytes, boolean handshaken) {}

  private static final int MAX_HELLO_BYTES = 32 << 10;
  private static final int CHANGE_CIPHER_SPEC = 20;
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int APPLICATION_DATA = 23;
  private static final int TLS_1_2 = 0x0303;

  private final Random random;
  private final byte[] hello;
  private final List<Function<MalformedTls, Attempt>> kinds =
      List.of(
          MalformedTls::randomBytes,
          MalformedTls::cutHello,
          MalformedTls::flippedHello,
          MalformedTls::crumbledHello,
          MalformedTls::helloTwice,
          MalformedTls::oldHello,
          MalformedTls::badRecords,
          MalformedTls::wrongLength,
          MalformedTls::emptyRecords,
          MalformedTls::plainText,
          MalformedTls::badRecordsAfterHandshake,
          MalformedTls::randomBytesAfterHandshake);

  MalformedTls(long seed, SSLContext context) throws SSLException {
    random = new Random(seed);
    hello = hello(context);
  }

  /** What a good client sends first. */
  private static byte[] hello(SSLContext context) throws SSLException {
    SSLEngine engine = context.createSSLEngine("localhost", 443);
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer record = ByteBuffer.allocate(MAX_HELLO_BYTES);
    engine.wrap(ByteBuffer.allocate(0), record);
    byte[] bytes = new byte[record.position()];
    record.flip().get(bytes);
    return bytes;
  }

  Attempt next() {
    return kinds.get(random.nextInt(kinds.size())).apply(this);
  }

  private Attempt randomBytes() {
    return before("random bytes", bytes(1 + random.nextInt(500)));
  }

  private Attempt cutHello() {
    return before("cut hello", Arrays.copyOf(hello, random.nextInt(hello.length)));
  }

  private Attempt flippedHello() {
    byte[] bytes = hello.clone();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return before("flipped hello", bytes);
  }

  /** In records of a few bytes each, the last of which may be missing. */
  private Attempt crumbledHello() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int header = 5;
    int end = hello.length - random.nextInt(2);
    for (int from = header; from < end; ) {
      int length = Math.min(1 + random.nextInt(8), end - from);
      byte[] crumb = Arrays.copyOfRange(hello, from, from + length);
      out.writeBytes(record(HANDSHAKE, TLS_1_2, length, crumb));
      from += length;
    }
    return before("crumbled hello", out.toByteArray());
  }

  private Attempt helloTwice() {
    return before(
        "hello twice", ByteBuffer.allocate(2 * hello.length).put(hello).put(hello).array());
  }

  /** As SSL 2 had it. */
  private Attempt oldHello() {
    byte[] bytes = bytes(2 + random.nextInt(60));
    bytes[0] = (byte) 0x80;
    return before("old hello", bytes);
  }

  private Attempt badRecords() {
    return before("bad records", records());
  }

  private Attempt wrongLength() {
    int length = random.nextInt(1 << 16);
    return before("wrong length", record(HANDSHAKE, TLS_1_2, length, bytes(random.nextInt(300))));
  }

  private Attempt emptyRecords() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int type = CHANGE_CIPHER_SPEC + random.nextInt(4);
    for (int i = random.nextInt(200); i >= 0; i--) {
      out.writeBytes(record(type, TLS_1_2, 0, new byte[0]));
    }
    return before("empty records", out.toByteArray());
  }

  private Attempt plainText() {
    return before(
        "plain text",
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private Attempt badRecordsAfterHandshake() {
    return new Attempt("bad records after the handshake", records(), true);
  }

  private Attempt randomBytesAfterHandshake() {
    return new Attempt("random bytes after the handshake", bytes(1 + random.nextInt(500)), true);
  }

  private byte[] records() {
    List<Integer> types = List.of(CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION_DATA, 24, 255);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = random.nextInt(6); i >= 0; i--) {
      int type = types.get(random.nextInt(types.size()));
      int version = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : TLS_1_2;
      byte[] content = bytes(random.nextInt(60));
      out.writeBytes(record(type, version, content.length, content));
    }
    return out.toByteArray();
  }

  private static byte[] record(int type, int version, int length, byte[] content) {
    return ByteBuffer.allocate(5 + content.length)
        .put((byte) type)
        .putShort((short) version)
        .putShort((short) length)
        .put(content)
        .array();
  }

  private static Attempt before(String kind, byte[] bytes) {
    return new Attempt(kind, bytes, false);
  }

  private byte[] bytes(int n) {
    byte[] bytes = new byte[n];
    random.nextBytes(bytes);
    return bytes;
  }
}
