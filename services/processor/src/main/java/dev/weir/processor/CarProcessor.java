package dev.weir.processor;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Handles cars, event sourced: counts them and keeps a checksum over all of them. The reply's
 * odometer is the number of cars handled, this one included, so whoever sends them sees one that
 * was handled twice. A message that is no car of the benchmark is counted and gets an empty reply.
 */
public final class CarProcessor implements EventSourcedProcessor {
  private final CarCodec codec;
  private final CarState state = new CarState();

  /** A processor of cars in this encoding. */
  public CarProcessor(Encoding encoding) {
    this.codec = encoding.newCodec();
  }

  @Override
  public void onMessage(Inbound message, Outbound out) {
    ByteBuffer room = out.claim(CarCodec.MAX_BYTES);
    if (codec.read(message.buffer(), message.offset(), message.length(), room, out.offset())) {
      out.commit(codec.reply(state.handle(codec.serialNumber(), codec.digest())));
    } else {
      state.refuse();
    }
  }

  @Override
  public void save(DataOutput out) throws IOException {
    state.save(out);
  }

  @Override
  public void restore(DataInput in) throws IOException {
    state.restore(in);
  }

  /** Cars handled. */
  public long handled() {
    return state.handled();
  }

  /** Messages that were no cars of the benchmark. */
  public long refused() {
    return state.refused();
  }

  /** A checksum over all cars handled and their order. */
  public long checksum() {
    return state.checksum();
  }

  /** Serial number of the last car handled; 0 before the first. */
  public long lastSerialNumber() {
    return state.lastSerialNumber();
  }
}
