package dev.weir.cluster.state;

import dev.weir.cluster.Inbound;
import java.nio.ByteBuffer;

/** The current message; one object that is reused for each. */
public final class Request implements Inbound {
  private long clientId;
  private long sequence;
  private long timestampMs;
  private int version = 1;
  private ByteBuffer buffer;
  private int offset;
  private int length;

  public Request set(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    this.clientId = clientId;
    this.sequence = sequence;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    return this;
  }

  /** Sets the version of the application in which the message is handled. */
  public Request in(int newVersion) {
    version = newVersion;
    return this;
  }

  Request at(long timestampMs) {
    this.timestampMs = timestampMs;
    return this;
  }

  /** Sets the same message with its body in another buffer. */
  Request movedTo(ByteBuffer buffer, int offset) {
    this.buffer = buffer;
    this.offset = offset;
    return this;
  }

  @Override
  public long clientId() {
    return clientId;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public long timestampMs() {
    return timestampMs;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public int length() {
    return length;
  }
}
