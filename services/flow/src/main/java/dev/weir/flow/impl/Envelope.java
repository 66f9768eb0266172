package dev.weir.flow.impl;

import dev.weir.flow.ImmutableCodec;
import dev.weir.flow.vertx.BusMessages;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A message as the disk tier keeps it: headers and body, without the way to reply. The body is held
 * as it is while its size is known without encoding; otherwise encoded at once.
 */
public final class Envelope {
  private static final byte[] NO_HEADERS = {0, 0};

  /** Their number is written as an unsigned short. */
  private static final int MAX_HEADERS = 0xFFFF;

  /** Their number is written as an unsigned short. */
  private static final int MAX_NAME_BYTES = 0xFFFF;

  /** Vert.x's number of the body's codec; -1 for a codec that has a name only. */
  final byte systemCodecId;

  /** Null for a codec that has a number. */
  final byte[] codecName;

  /** Null for a message that {@linkplain #undecodable cannot be decoded}. */
  final MessageCodec<Object, Object> codec;

  /** Encoded headers: a count, then lengths and texts. */
  final byte[] headers;

  /** A Buffer, a byte array, a body with an {@link ImmutableCodec}, or null. */
  final Object body;

  /** The body as its codec wrote it, or null if {@link #body} can be written without. */
  final Buffer encoded;

  /**
   * What {@link #encoded} was decoded to when it was read, until the first handler gets it: that
   * may change it. Null for none.
   */
  private Object decoded;

  /** When the service got it, ms since 1970. */
  final long acceptedAtMs;

  /** Why the body cannot be decoded; null if it can. */
  final String decodeFailure;

  /** Of a message that cannot be decoded: how its body follows, to be written as it was read. */
  final byte rawForm;

  private Envelope(
      MessageCodec<Object, Object> codec,
      byte[] headers,
      Object body,
      Buffer encoded,
      long acceptedAtMs) {
    this.acceptedAtMs = acceptedAtMs;
    this.codec = codec;
    this.systemCodecId = codec.systemCodecID();
    this.codecName = systemCodecId == -1 ? name(codec) : null;
    this.headers = headers;
    this.body = body;
    this.encoded = encoded;
    this.decodeFailure = null;
    this.rawForm = 0;
  }

  private Envelope(
      byte systemCodecId,
      byte[] codecName,
      byte[] headers,
      byte rawForm,
      Buffer raw,
      long acceptedAtMs,
      String decodeFailure) {
    this.acceptedAtMs = acceptedAtMs;
    this.codec = null;
    this.systemCodecId = systemCodecId;
    this.codecName = codecName;
    this.headers = headers;
    this.body = null;
    this.encoded = raw;
    this.decodeFailure = decodeFailure;
    this.rawForm = rawForm;
  }

  /**
   * Takes over a body nobody else changes any more.
   *
   * @param body may be null
   * @param headers may be null
   */
  static Envelope of(MessageCodec<Object, Object> codec, MultiMap headers, Object body) {
    byte[] head = encode(headers);
    long nowMs = System.currentTimeMillis();
    if (isSized(codec, body)) {
      return new Envelope(codec, head, body, null, nowMs);
    }
    Buffer encoded = Buffer.buffer();
    codec.encodeToWire(encoded, body);
    return new Envelope(codec, head, null, encoded, nowMs);
  }

  /** The same of a body that its sender may change again when this returns. */
  static Envelope sent(MessageCodec<Object, Object> codec, MultiMap headers, Object body) {
    return of(codec, headers, isSized(codec, body) ? codec.transform(body) : body);
  }

  /** The same of a message from the bus. */
  static Envelope received(
      MessageCodec<Object, Object> codec, MultiMap headers, Message<?> message) {
    Object body = message.body();
    try {
      return of(codec, headers, body);
    } catch (ClassCastException e) {
      // The codec brings another class than it sends, and writes only what it sends.
      Object sent = BusMessages.sentBody(message);
      if (sent == null) {
        throw e;
      }
      return of(codec, headers, sent);
    }
  }

  /** What it holds of the heap while it is handled, an estimate; of a message that is decodable. */
  long memoryBytes() {
    return Bodies.OVERHEAD_BYTES
        + headers.length
        + (encoded == null
            ? BodySizes.of(codec, body, Long.MAX_VALUE)
            : (1L + BodySizes.DECODED_FACTOR) * encoded.length());
  }

  private static boolean isSized(MessageCodec<?, ?> codec, Object body) {
    return body == null
        || codec instanceof ImmutableCodec
        || codec.systemCodecID() != -1 && (body instanceof Buffer || body instanceof byte[]);
  }

  /**
   * As read from disk.
   *
   * @param encoded what the body was decoded from, to be written again; or null, as for {@link
   *     #encoded}
   */
  static Envelope read(
      MessageCodec<Object, Object> codec,
      byte[] headers,
      Object body,
      Buffer encoded,
      long acceptedAtMs) {
    if (encoded == null) {
      return new Envelope(codec, headers, body, null, acceptedAtMs);
    }
    Envelope read = new Envelope(codec, headers, null, encoded, acceptedAtMs);
    read.decoded = body;
    return read;
  }

  /**
   * A message whose body cannot be decoded, because its codec is not registered or fails. It keeps
   * the body's bytes, so that it can be written again as it was read.
   *
   * @param codecName null for a codec that has a number
   * @param decodeFailure names the codec and says what failed
   */
  static Envelope undecodable(
      byte systemCodecId,
      byte[] codecName,
      byte[] headers,
      byte rawForm,
      Buffer raw,
      long acceptedAtMs,
      String decodeFailure) {
    return new Envelope(
        systemCodecId, codecName, headers, rawForm, raw, acceptedAtMs, decodeFailure);
  }

  /** Whether {@link #decodeBody} can succeed. */
  boolean isDecodable() {
    return decodeFailure == null;
  }

  /**
   * The name of a codec as it is written; fails with IllegalArgumentException if it is too long.
   */
  static byte[] name(MessageCodec<?, ?> codec) {
    byte[] name = codec.name().getBytes(StandardCharsets.UTF_8);
    if (name.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "the codec's name has " + name.length + " bytes, allowed is up to " + MAX_NAME_BYTES);
    }
    return name;
  }

  private static byte[] encode(MultiMap headers) {
    if (headers == null || headers.isEmpty()) {
      return NO_HEADERS;
    }
    int count = headers.entries().size();
    if (count > MAX_HEADERS) {
      throw new IllegalArgumentException(
          "the message has " + count + " headers, allowed is up to " + MAX_HEADERS);
    }
    Buffer out = Buffer.buffer();
    out.appendUnsignedShort(count);
    for (Map.Entry<String, String> header : headers.entries()) {
      append(out, header.getKey());
      append(out, header.getValue());
    }
    return out.getBytes();
  }

  private static void append(Buffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.appendInt(bytes.length).appendBytes(bytes);
  }

  /**
   * Encoded headers as they were read, if {@link #decodeHeaders} can decode them.
   *
   * @throws IllegalArgumentException if it cannot
   */
  static byte[] checkHeaders(byte[] headers) {
    ByteBuffer in = ByteBuffer.wrap(headers);
    boolean fits = headers.length >= NO_HEADERS.length;
    int texts = fits ? 2 * Short.toUnsignedInt(in.getShort()) : 0;
    for (int i = 0; fits && i < texts; i++) {
      int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
      fits = length >= 0 && length <= in.remaining();
      in.position(in.position() + (fits ? length : 0));
    }
    if (!fits || in.hasRemaining()) {
      throw new IllegalArgumentException("the headers have a wrong length in them");
    }
    return headers;
  }

  /**
   * The body; bytes are those that are written, not to be changed while they may be. Each call
   * decodes an encoded body anew, or gives what was decoded and nobody has. On one thread at a
   * time.
   *
   * @throws IllegalStateException for a message that cannot be decoded
   */
  public Object decodeBody() {
    if (decodeFailure != null) {
      throw new IllegalStateException(decodeFailure);
    }
    if (encoded == null) {
      return body;
    }
    Object first = decoded;
    decoded = null;
    return first == null ? codec.decodeFromWire(0, encoded) : first;
  }

  /** The body for a handler that may change it, while the message may be written again. */
  Object copyBody() {
    if (body instanceof Buffer buffer) {
      return buffer.copy();
    }
    return body instanceof byte[] bytes ? bytes.clone() : decodeBody();
  }

  /** The body for people to look at: a copy; its bytes if it cannot be decoded. Any thread. */
  Object bodyToShow() {
    try {
      if (!isDecodable()) {
        return encoded.copy();
      }
      // Not what was decoded: a handler is to get that.
      return encoded == null ? copyBody() : codec.decodeFromWire(0, encoded);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      // Of the codec; nobody has decoded a message that was not written yet.
      return encoded.copy();
    }
  }

  MultiMap decodeHeaders() {
    MultiMap decoded = MultiMap.caseInsensitiveMultiMap();
    if (headers.length == NO_HEADERS.length) {
      return decoded;
    }
    Buffer in = Buffer.buffer(headers);
    int count = in.getUnsignedShort(0);
    int position = Short.BYTES;
    for (int i = 0; i < count; i++) {
      int keyEnd = position + Integer.BYTES + in.getInt(position);
      int valueEnd = keyEnd + Integer.BYTES + in.getInt(keyEnd);
      decoded.add(
          in.getString(position + Integer.BYTES, keyEnd),
          in.getString(keyEnd + Integer.BYTES, valueEnd));
      position = valueEnd;
    }
    return decoded;
  }
}
