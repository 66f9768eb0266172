package dev.weir.gateway;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** What no client should send, by a seed. */
final class MalformedInput {
  /**
   * One connection's worth.
   *
   * @param answered whether the server has all it needs to answer or to close
   */
  record Attempt(String kind, byte[] bytes, boolean answered) {}

  private static final List<String> BAD_JSON =
      List.of(
          "{",
          "{\"a\":",
          "[1,]",
          "nul",
          "{\"a\":1}}",
          "\u0000",
          "\"\\ud800\"",
          "1e99999",
          "'a'",
          "\"\\u12\"",
          "{\"a\":\"\u00ff\u00fe\"}",
          "[".repeat(5_000),
          "{\"a\":".repeat(3_000));
  private static final List<String> LENGTHS =
      List.of(
          "1",
          "1000",
          "-1",
          "+5",
          "5, 6",
          "x",
          "",
          " ",
          "0x5",
          "99999999999999999999",
          "9223372036854775807",
          "4294967297",
          "5\r\nContent-Length: 6",
          "5\r\nContent-Length: 5",
          "5\r\nTransfer-Encoding: chunked");
  private static final List<String> CHUNKS =
      List.of(
          "zz\r\nabc\r\n0\r\n\r\n",
          "-1\r\nabc\r\n",
          "FFFFFFFFFFFFFFFF\r\nabc",
          "5\r\nab",
          "5",
          "3\r\nabcdef\r\n0\r\n\r\n",
          "3;" + "x".repeat(20_000) + "\r\nabc\r\n0\r\n\r\n",
          "7fffffff\r\nabc",
          "3 3\r\nabc\r\n0\r\n\r\n",
          "\r\n\r\n",
          "0\r\nX: " + "y".repeat(30_000),
          "3\nabc\n0\n\n",
          "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n");
  private static final List<String> TARGETS =
      List.of(
          "/services",
          "/services/",
          "/services?",
          "/services/../../etc/passwd",
          "/services/%2e%2e/%2e%2e/etc",
          "/services/%00",
          "//",
          "",
          "/services//echo",
          "/services/echo%00/events",
          "/services/%",
          "/services/%zz",
          "/%",
          "/services/%c0%ae%c0%ae",
          "/services/%ff%fe",
          "/services/echo/../echo/events",
          "*",
          "?",
          "/services/echo;a=b",
          "/services/echo#x",
          "/services/\\..\\x",
          "http://b/services/echo",
          "http://[::1",
          "/services/echo?%",
          "/services/echo?a=%zz&&&==",
          "services/echo",
          "/\t",
          "/services/" + "a".repeat(7_000),
          "/services/" + "a/".repeat(4_000),
          "/..;/",
          "/./..//%2f",
          "/services/" + "%2e%2e%2f".repeat(500),
          "/" + "a".repeat(100_000),
          "/services/__vertx.x");
  private static final List<String> HEADERS =
      List.of(
          "X Y: 1",
          ": 1",
          "X",
          "X:\u0000",
          "X: \u0001\u007f",
          "X: a\r\n b",
          "Host: b",
          "\u00e4: 1",
          "Transfer-Encoding: chunked, chunked",
          "Transfer-Encoding: gzip",
          "Transfer-Encoding : chunked",
          "Transfer-Encoding: \u000bchunked",
          "Transfer-Encoding: identity\r\nContent-Length: 3",
          "Expect: 100-continue",
          "Expect: tea",
          "Upgrade: h2c\r\nConnection: Upgrade",
          "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: !!",
          "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
          "Weir-Timeout-Ms: x",
          "Weir-Timeout-Ms: -1",
          "Weir-Timeout-Ms: 99999999999999999999",
          "Idempotency-Key:",
          "Idempotency-Key: " + "k".repeat(5_000),
          "Content-Type: \u0000",
          "Content-Type: text/plain; charset=nonsense",
          "Content-Type: application/json; charset=",
          "Content-Type: multipart/form-data; boundary=",
          "Content-Encoding: gzip",
          "Connection: \u0000",
          "Authorization: Bearer",
          "Cookie: " + "a=b;".repeat(2_000),
          "X: " + "x".repeat(60_000),
          "X: 1\r\n".repeat(5_000) + "X: 1",
          "x".repeat(40_000) + ": 1");
  private static final List<String> FIRST_LINES =
      List.of(
          "GET",
          "GET /",
          "GET / HTTP/0.9",
          "GET / HTTP/3.0",
          "GET / HTTP/1.1 x",
          " GET / HTTP/1.1",
          "G\u0000T / HTTP/1.1",
          "CONNECT a:1 HTTP/1.1",
          "OPTIONS * HTTP/1.1",
          "TRACE / HTTP/1.1",
          "PRI * HTTP/2.0",
          "POST /services/echo HTTP/1.1\rX",
          "\r\n\r\n\r\n",
          "GET / http/1.1",
          "x".repeat(50_000),
          "POST /services/echo HTTP/99999999999.1",
          "SSH-2.0-x",
          "\u0016\u0003\u0001");
  private static final List<String> HANDSHAKES =
      List.of(
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Sec-WebSocket-Version: x",
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Protocol: ,,\u0000",
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Extensions: permessage-deflate;x=");
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final String POST = "POST /services/echo HTTP/1.1\r\nHost: localhost\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";

  private final Random random;
  private final List<Function<MalformedInput, Attempt>> kinds =
      List.of(
          MalformedInput::badJson,
          MalformedInput::badLength,
          MalformedInput::badChunks,
          MalformedInput::badTarget,
          MalformedInput::badHeader,
          MalformedInput::badFirstLine,
          MalformedInput::randomBytes,
          MalformedInput::flipped,
          MalformedInput::cutOff,
          MalformedInput::http2,
          MalformedInput::halfPreface,
          MalformedInput::webSocket);

  MalformedInput(long seed) {
    random = new Random(seed);
  }

  Attempt next() {
    return pick(kinds).apply(this);
  }

  private Attempt badJson() {
    String json = pick(BAD_JSON);
    String path = random.nextBoolean() ? "/services/echo" : "/services/keep/events";
    return attempt(
        "bad JSON",
        "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + JSON + length(json) + "\r\n" + json,
        true);
  }

  private Attempt badLength() {
    return attempt(
        "bad length",
        POST + JSON + "Content-Length: " + pick(LENGTHS) + "\r\n\r\n{\"a\":1}",
        false);
  }

  private Attempt badChunks() {
    return attempt("bad chunks", POST + "Transfer-Encoding: chunked\r\n\r\n" + pick(CHUNKS), false);
  }

  private Attempt badTarget() {
    String method = random.nextBoolean() ? "GET " : "POST ";
    return attempt(
        "bad target",
        method + pick(TARGETS) + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
        false);
  }

  private Attempt badHeader() {
    String headers = pick(HEADERS) + "\r\n" + (random.nextBoolean() ? pick(HEADERS) + "\r\n" : "");
    return attempt("bad header", POST + headers + "Content-Length: 2\r\n\r\n{}", false);
  }

  private Attempt badFirstLine() {
    return attempt("bad first line", pick(FIRST_LINES) + "\r\nHost: localhost\r\n\r\n", false);
  }

  private Attempt randomBytes() {
    return new Attempt("random bytes", bytes(1 + random.nextInt(3_000)), false);
  }

  private Attempt flipped() {
    byte[] bytes = good().getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return new Attempt("flipped bits", bytes, false);
  }

  private Attempt cutOff() {
    String good = good();
    return attempt("cut off", good.substring(0, random.nextInt(good.length())), false);
  }

  private Attempt halfPreface() {
    return attempt("half preface", PREFACE.substring(0, random.nextInt(PREFACE.length())), false);
  }

  private Attempt http2() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
    if (random.nextInt(4) > 0) {
      out.writeBytes(frame(4, 0, 0, new byte[0]));
    }
    for (int i = random.nextInt(12); i >= 0; i--) {
      out.writeBytes(randomFrame());
    }
    return new Attempt("HTTP/2", out.toByteArray(), false);
  }

  private byte[] randomFrame() {
    // A GET of "/" over http by HPACK's static table, and what is none.
    byte[] headers =
        random.nextBoolean() ? new byte[] {(byte) 0x83, (byte) 0x86, (byte) 0x84} : bytes(20);
    byte[] payload = random.nextBoolean() ? headers : bytes(random.nextInt(40));
    int stream = random.nextBoolean() ? 1 + 2 * random.nextInt(4) : random.nextInt();
    return switch (random.nextInt(6)) {
      case 0 -> frame(1, 4 | random.nextInt(2), 1 + 2 * random.nextInt(20), headers);
      case 1 -> frame(9, random.nextInt(256), stream, payload);
      case 2 -> ByteBuffer.allocate(9).putInt(random.nextInt()).array();
      default -> frame(random.nextInt(12), random.nextInt(256), stream, payload);
    };
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) 0)
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  private Attempt webSocket() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String handshake =
        "GET /services/echo/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + (random.nextBoolean() ? HANDSHAKES.get(0) : pick(HANDSHAKES))
            + "\r\n\r\n";
    out.writeBytes(handshake.getBytes(StandardCharsets.ISO_8859_1));
    for (int i = random.nextInt(6); i >= 0; i--) {
      out.write(random.nextInt(256));
      out.write(random.nextBoolean() ? 0x80 | random.nextInt(126) : random.nextInt(256));
      out.writeBytes(bytes(random.nextInt(140)));
    }
    return new Attempt("WebSocket", out.toByteArray(), false);
  }

  private String good() {
    String json = "{\"a\":1}";
    return switch (random.nextInt(3)) {
      case 0 -> POST + JSON + length(json) + "\r\n" + json;
      case 1 -> POST + JSON + "Transfer-Encoding: chunked\r\n\r\n7\r\n" + json + "\r\n0\r\n\r\n";
      default ->
          "POST /services/keep/events HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\n"
              + JSON
              + length(json)
              + "\r\n"
              + json;
    };
  }

  private static String length(String body) {
    return "Content-Length: " + body.length() + "\r\n";
  }

  private static Attempt attempt(String kind, String text, boolean answered) {
    return new Attempt(kind, text.getBytes(StandardCharsets.ISO_8859_1), answered);
  }

  private byte[] bytes(int n) {
    byte[] bytes = new byte[n];
    random.nextBytes(bytes);
    return bytes;
  }

  private <V> V pick(List<V> values) {
    return values.get(random.nextInt(values.size()));
  }
}
