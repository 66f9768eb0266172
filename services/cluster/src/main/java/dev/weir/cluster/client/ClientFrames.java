package dev.weir.cluster.client;

import dev.weir.cluster.OfferResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;

/**
 * The frames that a client and a member exchange over TCP. Each frame begins with its length (int),
 * which does not count itself. All numbers are big-endian.
 *
 * <pre>
 * from the client, first:  int magic, int version, group name
 * from the member, first:  byte {@link #WELCOME}, long 1 if it takes releases (0 in versions before),
 *                          8 unused bytes, int most requests and long most bytes of requests without
 *                          a reply on this connection, int most bytes of a body, long ms for which
 *                          the group remembers a silent client at least; or byte {@link #REFUSED},
 *                          16 unused bytes, reason (UTF-8), and the connection is closed; or byte
 *                          {@link #CHALLENGE}, 16 unused bytes, a random number (UTF-8)
 * from the client, after a challenge: the proof that it knows the secret (UTF-8)
 * from the client:         long client id, long sequence, body; or a release: long client id, long
 *                          the negative of a sequence: it has the replies before that one
 * from the member:         byte {@link OfferResult} or {@link #REPLY}, long client id, long sequence,
 *                          reply; after {@link OfferResult#REJECTED} the reason in UTF-8
 * </pre>
 */
final class ClientFrames {
  static final int MAGIC = 0x57656972;

  /** Version 1 had no {@link #WELCOME}, the one of version 2 no time. */
  static final int VERSION = 3;

  /** In place of a group's name: the connection is to become a {@link SharedLink}. */
  static final String SHARED = "";

  /** Stands in place of an {@link OfferResult}: the reply follows. */
  static final byte REPLY = -1;

  /** Stands in place of an {@link OfferResult}: the member takes requests of the group. */
  static final byte WELCOME = -2;

  /** Stands in place of an {@link OfferResult}: the member does not take what the client wants. */
  static final byte REFUSED = -3;

  /**
   * Stands in place of an {@link OfferResult}: the client has to prove that it knows the secret.
   */
  static final byte CHALLENGE = -4;

  static final int WELCOME_BYTES = 24;

  private static final long TAKES_RELEASES = 1;

  static final int REQUEST_HEADER_BYTES = 16;
  static final int ANSWER_HEADER_BYTES = 17;

  private static final OfferResult[] RESULTS = OfferResult.values();

  private ClientFrames() {}

  static Buffer hello(String group) {
    byte[] name = group.getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer()
        .appendInt(2 * Integer.BYTES + name.length)
        .appendInt(MAGIC)
        .appendInt(VERSION)
        .appendBytes(name);
  }

  static Buffer welcome(int requests, long bytes, int maxMessageBytes, long clientExpiryMs) {
    return answer(WELCOME, TAKES_RELEASES, 0, WELCOME_BYTES)
        .appendInt(requests)
        .appendLong(bytes)
        .appendInt(maxMessageBytes)
        .appendLong(clientExpiryMs);
  }

  /** Begins a connection with what the member said in {@link #welcome}. */
  static void begin(RequestWindow window, Buffer welcome) {
    int at = ANSWER_HEADER_BYTES;
    window.begin(
        welcome.getInt(at),
        welcome.getLong(at + 4),
        welcome.getInt(at + 12),
        welcome.getLong(at + 16));
  }

  /** Whether a member that said {@link #welcome} takes releases. */
  static boolean takesReleases(Buffer welcome) {
    return welcome.getLong(1) == TAKES_RELEASES;
  }

  static Buffer refused(String reason) {
    return text(REFUSED, reason);
  }

  static Buffer challenge(String number) {
    return text(CHALLENGE, number);
  }

  private static Buffer text(int kind, String said) {
    byte[] text = said.getBytes(StandardCharsets.UTF_8);
    return answer(kind, 0, 0, text.length).appendBytes(text);
  }

  static Buffer proof(String proof) {
    return Buffer.buffer().appendInt(proof.length()).appendString(proof);
  }

  static void appendRequest(Buffer out, long clientId, long sequence, Buffer body) {
    out.appendInt(REQUEST_HEADER_BYTES + body.length())
        .appendLong(clientId)
        .appendLong(sequence)
        .appendBuffer(body);
  }

  /** The client has the replies to its requests before that one. */
  static void appendRelease(Buffer out, long clientId, long before) {
    out.appendInt(REQUEST_HEADER_BYTES).appendLong(clientId).appendLong(-before);
  }

  /** The request that {@link #appendRelease} names; less than 1 if it is a request itself. */
  static long releasedBefore(long sequence) {
    return -sequence;
  }

  static Buffer answer(int kind, long clientId, long sequence, int bodyBytes) {
    return Buffer.buffer(Integer.BYTES + ANSWER_HEADER_BYTES + bodyBytes)
        .appendInt(ANSWER_HEADER_BYTES + bodyBytes)
        .appendByte((byte) kind)
        .appendLong(clientId)
        .appendLong(sequence);
  }

  /** The text of a refusal. */
  static String text(Buffer answer) {
    return answer.getString(ANSWER_HEADER_BYTES, answer.length());
  }

  /** The result of this code; null if the code is unknown. */
  static OfferResult offerResult(int code) {
    return code >= 0 && code < RESULTS.length ? RESULTS[code] : null;
  }

  /** Receives the frames of a stream. */
  interface Sink {
    /** Bytes of the smallest frame allowed next. */
    int minBytes();

    /** Bytes of the largest frame allowed next. */
    int maxBytes();

    void onFrame(Buffer frame);

    /** A frame has a size that is not allowed; no frame follows it. */
    void onInvalid(int bytes);
  }

  /** Splits a stream into frames. The sink may allow other sizes after each frame. */
  static RecordParser parser(Sink sink) {
    RecordParser parser = RecordParser.newFixed(Integer.BYTES);
    boolean[] inHeader = {true};
    parser.handler(
        buffer -> {
          if (!inHeader[0]) {
            inHeader[0] = true;
            parser.fixedSizeMode(Integer.BYTES);
            sink.onFrame(buffer);
            return;
          }
          int bytes = buffer.getInt(0);
          if (bytes < sink.minBytes() || bytes > sink.maxBytes()) {
            parser.handler(ignored -> {});
            sink.onInvalid(bytes);
            return;
          }
          inHeader[0] = false;
          parser.fixedSizeMode(bytes);
        });
    return parser;
  }
}
