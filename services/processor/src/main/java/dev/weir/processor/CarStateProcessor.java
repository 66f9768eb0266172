package dev.weir.processor;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import java.nio.ByteBuffer;

/**
 * Handles cars, state replicated: a car belongs to the object with the number of its serial number
 * modulo the number of objects, and changes it. The reply's odometer is how many cars that object
 * has seen, this one included. A message that is no car of the benchmark gets an empty reply and
 * changes nothing.
 */
public final class CarStateProcessor implements StateReplicatedProcessor {
  /** {@value} objects by default. */
  public static final int DEFAULT_OBJECTS = 1_000;

  /** Bytes of an object: cars seen, serial number of the last, checksum. */
  static final int OBJECT_BYTES = 3 * Long.BYTES;

  private static final int LAST = Long.BYTES;
  private static final int CHECKSUM = 2 * Long.BYTES;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final CarCodec codec;
  private final int objects;
  private final ByteBuffer value = ByteBuffer.allocate(OBJECT_BYTES);

  /**
   * A processor of cars in this encoding.
   *
   * @param objects how many objects there are, at least 1
   */
  public CarStateProcessor(Encoding encoding, int objects) {
    if (objects < 1) {
      throw new IllegalArgumentException("objects is " + objects + ", allowed is at least 1");
    }
    this.codec = encoding.newCodec();
    this.objects = objects;
  }

  /**
   * The odometer of the reply to the car with this serial number, if cars are sent in order from
   * number 1 on, each once.
   */
  public static long odometer(long serialNumber, int objects) {
    long number = Long.remainderUnsigned(serialNumber, objects);
    return number == 0 ? serialNumber / objects : serialNumber / objects + 1;
  }

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    ByteBuffer room = out.claim(CarCodec.MAX_BYTES);
    if (!codec.read(message.buffer(), message.offset(), message.length(), room, out.offset())) {
      return;
    }
    long serialNumber = codec.serialNumber();
    long id = Long.remainderUnsigned(serialNumber, objects);
    load(state.get(id));
    long seen = value.getLong(0) + 1;
    value
        .putLong(0, seen)
        .putLong(LAST, serialNumber)
        .putLong(CHECKSUM, (value.getLong(CHECKSUM) ^ serialNumber ^ codec.digest()) * FACTOR);
    state.put(id, value);
    out.commit(codec.reply(seen));
  }

  private void load(ByteBuffer from) {
    for (int at = 0; at < OBJECT_BYTES; at += Long.BYTES) {
      value.putLong(at, from == null ? 0 : from.getLong(from.position() + at));
    }
  }
}
