package dev.weir.cluster.client;

import dev.weir.cluster.OfferResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;

/**
 * What a client and a member say to each other over TCP. Each frame begins with the bytes behind
 * that number (int); all numbers are big-endian.
 *
 * <pre>
 * from the client, first:  int magic, int version, group name
 * from the client:         long client id, long sequence, body
 * from the member:         byte {@link OfferResult} or {@link #REPLY}, long client id, long sequence,
 *                          reply
 * </pre>
 */
final class ClientFrames {
  static final int MAGIC = 0x57656972;
  static final int VERSION = 1;

  /** Instead of an {@link OfferResult}: the reply follows. */
  static final byte REPLY = -1;

  static final int REQUEST_HEADER_BYTES = 16;
  static final int ANSWER_HEADER_BYTES = 17;

  private static final OfferResult[] INTAKES = OfferResult.values();

  private ClientFrames() {}

  static Buffer hello(String group) {
    byte[] name = group.getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer()
        .appendInt(2 * Integer.BYTES + name.length)
        .appendInt(MAGIC)
        .appendInt(VERSION)
        .appendBytes(name);
  }

  static Buffer request(long clientId, long sequence, Buffer body) {
    return Buffer.buffer(Integer.BYTES + REQUEST_HEADER_BYTES + body.length())
        .appendInt(REQUEST_HEADER_BYTES + body.length())
        .appendLong(clientId)
        .appendLong(sequence)
        .appendBuffer(body);
  }

  static Buffer answer(int kind, long clientId, long sequence, int bodyBytes) {
    return Buffer.buffer(Integer.BYTES + ANSWER_HEADER_BYTES + bodyBytes)
        .appendInt(ANSWER_HEADER_BYTES + bodyBytes)
        .appendByte((byte) kind)
        .appendLong(clientId)
        .appendLong(sequence);
  }

  /** Null for an unknown code. */
  static OfferResult intake(int code) {
    return code >= 0 && code < INTAKES.length ? INTAKES[code] : null;
  }

  /** Takes the frames of a stream. */
  interface Sink {
    int leastBytes();

    int mostBytes();

    void onFrame(Buffer frame);

    /** A frame is larger or smaller than allowed; nothing comes after it. */
    void onInvalid(int bytes);
  }

  /** Cuts a stream into frames. The sink may allow other sizes after each. */
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
          if (bytes < sink.leastBytes() || bytes > sink.mostBytes()) {
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
