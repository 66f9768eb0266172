package dev.weir.processor;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import java.nio.ByteBuffer;

/**
 * The state-replicated processor of cars: each car changes one object, whose number is the serial
 * number modulo the number of objects.
 *
 * <p>The odometer of a reply is the number of cars that the object has seen, including this one. A
 * message that is not a car of the benchmark gets an empty reply and changes nothing.
 */
public final class CarStateProcessor implements StateReplicatedProcessor {
  /** Number of objects by default: {@value}. */
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
   * Creates a processor of cars in this encoding.
   *
   * @param objects the number of objects, at least 1
   */
  public CarStateProcessor(Encoding encoding, int objects) {
    if (objects < 1) {
      throw new IllegalArgumentException("objects is " + objects + ", allowed is at least 1");
    }
    this.codec = encoding.newCodec();
    this.objects = objects;
  }

  /**
   * The odometer of the reply to the car with this serial number, if the cars from number 1 on are
   * handled in order, each once.
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
