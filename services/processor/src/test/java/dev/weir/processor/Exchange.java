package dev.weir.processor;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import java.nio.ByteBuffer;

/** One request and its reply, in one buffer, at odd offsets between other bytes. */
final class Exchange implements Inbound {
  private static final int REQUEST_AT = 37;
  private static final int REPLY_AT = 1_001;
  private static final int SIZE = 2_048;

  private final ByteBuffer buffer;
  private final Outbound out = new Reply();
  private long sequence;
  private int length;
  private int replyBytes;

  private Exchange(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  static Exchange direct() {
    return new Exchange(ByteBuffer.allocateDirect(SIZE));
  }

  static Exchange onHeap() {
    return new Exchange(ByteBuffer.allocate(SIZE));
  }

  Exchange request(CarRequests requests, long number) {
    sequence = number;
    return request(requests.encode(number, buffer, REQUEST_AT));
  }

  /** Takes the first bytes of the buffer's request. */
  Exchange request(int bytes) {
    length = bytes;
    replyBytes = 0;
    return this;
  }

  /** Turns bits of the request over. */
  Exchange flip(int at, int bits) {
    buffer.put(REQUEST_AT + at, (byte) (buffer.get(REQUEST_AT + at) ^ bits));
    return this;
  }

  int replyBytes() {
    return replyBytes;
  }

  boolean isReply(CarRequests requests, long odometer) {
    return requests.isReply(buffer, REPLY_AT, replyBytes, sequence, odometer);
  }

  boolean read(CarCodec codec) {
    return codec.read(buffer, REQUEST_AT, length, buffer, REPLY_AT);
  }

  void reply(CarCodec codec, long odometer) {
    replyBytes = codec.reply(odometer);
  }

  long odometer(CarRequests requests) {
    return requests.odometer(buffer, REPLY_AT);
  }

  @Override
  public long clientId() {
    return 1;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public long timestampMs() {
    return 0;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return REQUEST_AT;
  }

  @Override
  public int length() {
    return length;
  }

  Outbound out() {
    return out;
  }

  private final class Reply implements Outbound {
    @Override
    public ByteBuffer claim(int maxBytes) {
      return buffer;
    }

    @Override
    public int offset() {
      return REPLY_AT;
    }

    @Override
    public void commit(int bytes) {
      replyBytes = bytes;
    }
  }
}
