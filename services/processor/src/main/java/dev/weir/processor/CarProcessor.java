package dev.weir.processor;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The event-sourced processor of cars: counts cars and keeps a checksum over all of them.
 *
 * <p>The odometer of a reply is the number of cars handled, including this one, so that the sender
 * can detect a car that was handled twice. A message that is not a car of the benchmark is counted
 * and gets an empty reply.
 */
public final class CarProcessor implements EventSourcedProcessor {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final CarCodec codec;
  private long handled;
  private long refused;
  private long checksum;
  private long lastSerialNumber;

  /** Creates a processor of cars in this encoding. */
  public CarProcessor(Encoding encoding) {
    this.codec = encoding.newCodec();
  }

  @Override
  public void onMessage(Inbound message, Outbound out) {
    ByteBuffer room = out.claim(CarCodec.MAX_BYTES);
    if (!codec.read(message.buffer(), message.offset(), message.length(), room, out.offset())) {
      refused++;
      return;
    }
    lastSerialNumber = codec.serialNumber();
    // Not commutative: the checksum depends on the order of the cars.
    checksum = (checksum ^ lastSerialNumber ^ codec.digest()) * FACTOR;
    out.commit(codec.reply(++handled));
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeLong(handled);
    out.writeLong(refused);
    out.writeLong(checksum);
    out.writeLong(lastSerialNumber);
  }

  @Override
  public void restore(DataInput in) throws IOException {
    handled = in == null ? 0 : in.readLong();
    refused = in == null ? 0 : in.readLong();
    checksum = in == null ? 0 : in.readLong();
    lastSerialNumber = in == null ? 0 : in.readLong();
  }

  /** Number of cars handled. */
  public long handled() {
    return handled;
  }

  /** Number of messages that were not cars of the benchmark. */
  public long refused() {
    return refused;
  }

  /** A checksum over all cars handled and their order. */
  public long checksum() {
    return checksum;
  }

  /** Serial number of the last car handled; 0 before the first. */
  public long lastSerialNumber() {
    return lastSerialNumber;
  }
}
