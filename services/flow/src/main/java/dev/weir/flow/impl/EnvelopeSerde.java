package dev.weir.flow.impl;

import dev.weir.flow.ImmutableCodec;
import dev.weir.flow.vertx.BufferBytes;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.queue.Serde;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Envelopes as bytes:
 *
 * <pre>
 * long   when the service got the message, ms since 1970
 * int    length of the headers
 * bytes  headers: short count, then key and value, each an int length and UTF-8
 * byte   Vert.x's number of the body's codec, or -1: then an unsigned short length and the codec's
 *        name
 * byte   how the body follows: 0 = null, 1 = as it is, 2 = as its codec writes it
 * bytes  body
 * </pre>
 *
 * <p>A body that cannot be decoded, because its codec is not registered or fails, does not make
 * reading fail: the envelope keeps the bytes and is written again as it was read. Bytes that are no
 * envelope make reading fail; another program may have had the queue, or an operator may have
 * imported them.
 */
public final class EnvelopeSerde implements Serde<Envelope> {
  private static final byte NULL = 0;
  private static final byte RAW = 1;
  private static final byte ENCODED = 2;
  private static final int FIXED_BYTES = Long.BYTES + Integer.BYTES + 2;

  private final Bodies bodies;

  public EnvelopeSerde(Bodies bodies) {
    this.bodies = bodies;
  }

  @Override
  public boolean takesDirectBuffers() {
    return true;
  }

  @Override
  public int sizeBytes(Envelope envelope) {
    int name = envelope.codecName == null ? 0 : Short.BYTES + envelope.codecName.length;
    return FIXED_BYTES + envelope.headers.length + name + bodyBytes(envelope);
  }

  private static int bodyBytes(Envelope envelope) {
    if (envelope.encoded != null) {
      return envelope.encoded.length();
    }
    Object body = envelope.body;
    if (body == null) {
      return 0;
    }
    if (body instanceof Buffer buffer) {
      return buffer.length();
    }
    return body instanceof byte[] bytes ? bytes.length : immutable(envelope.codec).sizeBytes(body);
  }

  @Override
  public void write(Envelope envelope, ByteBuffer out) {
    out.putLong(envelope.acceptedAtMs);
    out.putInt(envelope.headers.length).put(envelope.headers);
    out.put(envelope.systemCodecId);
    if (envelope.codecName != null) {
      out.putShort((short) envelope.codecName.length).put(envelope.codecName);
    }
    if (!envelope.isDecodable()) {
      BufferBytes.write(envelope.encoded, out.put(envelope.rawForm));
    } else if (envelope.encoded != null) {
      BufferBytes.write(envelope.encoded, out.put(ENCODED));
    } else if (envelope.body == null) {
      out.put(NULL);
    } else if (envelope.body instanceof Buffer buffer) {
      BufferBytes.write(buffer, out.put(RAW));
    } else if (envelope.body instanceof byte[] bytes) {
      out.put(RAW).put(bytes);
    } else {
      write(immutable(envelope.codec), envelope.body, out.put(RAW));
    }
  }

  /** The codec of a user gets a buffer with an array. */
  private static void write(ImmutableCodec<Object> codec, Object body, ByteBuffer out) {
    if (out.hasArray()) {
      codec.write(body, out);
    } else {
      ByteBuffer onHeap = ByteBuffer.allocate(out.remaining());
      codec.write(body, onHeap);
      out.put(onHeap.flip());
    }
  }

  @SuppressWarnings("unchecked")
  private static ImmutableCodec<Object> immutable(MessageCodec<?, ?> codec) {
    return (ImmutableCodec<Object>) codec;
  }

  @Override
  public Envelope read(ByteBuffer in) {
    long acceptedAtMs = in.getLong();
    byte[] headers = Envelope.checkHeaders(bytes(in, in.getInt()));
    byte systemId = in.get();
    byte[] name = systemId == -1 ? bytes(in, Short.toUnsignedInt(in.getShort())) : null;
    byte form = in.get();
    int bodyAt = in.position();
    try {
      return decode(acceptedAtMs, headers, bodies.codec(systemId, text(name)), form, in);
    } catch (Throwable e) {
      if (HeapExhaustion.isCause(e)) {
        // Says nothing about the message, which is read again later.
        throw e;
      }
      Buffer raw = BufferBytes.read(in.position(bodyAt));
      String failure =
          "codec "
              + (name == null ? systemId : text(name))
              + " cannot decode it: "
              + UserFailure.text(e);
      return Envelope.undecodable(systemId, name, headers, form, raw, acceptedAtMs, failure);
    }
  }

  private static String text(byte[] name) {
    return name == null ? null : new String(name, StandardCharsets.UTF_8);
  }

  private static Envelope decode(
      long acceptedAtMs,
      byte[] headers,
      MessageCodec<Object, Object> codec,
      byte form,
      ByteBuffer in) {
    if (form == ENCODED) {
      Buffer encoded = BufferBytes.read(in);
      Object body = codec.decodeFromWire(0, encoded);
      return Envelope.read(codec, headers, body, encoded, acceptedAtMs);
    }
    return Envelope.read(codec, headers, body(codec, form, in), null, acceptedAtMs);
  }

  private static Object body(MessageCodec<Object, Object> codec, byte form, ByteBuffer in) {
    if (form == NULL) {
      return null;
    }
    if (codec instanceof ImmutableCodec<?>) {
      return immutable(codec).read(in.hasArray() ? in : ByteBuffer.wrap(bytes(in, in.remaining())));
    }
    return "bytearray".equals(codec.name()) ? bytes(in, in.remaining()) : BufferBytes.read(in);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      // Bytes that no service has written may name a length that the heap has no room for.
      throw new IllegalArgumentException(
          "a part of " + length + " bytes, where " + in.remaining() + " are left");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
