package dev.weir.cluster.replica;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.RejectedMessageException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/**
 * A few registers. A message, whose first byte names one, leaves its client and sequence there; the
 * reply is the number of messages for that register, this one included, and what stood there
 * before. The second byte may ask for a fault.
 */
final class SimProcessor implements EventSourcedProcessor {
  static final int NO_FAULT = 0;

  /** The handler throws before it has changed anything, and says so. */
  static final int REFUSES = 1;

  /** The handler throws when it has changed everything. */
  static final int FAILS = 2;

  static final int KEYS = 3;
  static final int REPLY_BYTES = 3 * Long.BYTES;

  private final int version;
  private final IntConsumer handled;
  private final long[] counts = new long[KEYS];
  private final long[] clients = new long[KEYS];
  private final long[] sequences = new long[KEYS];

  /**
   * @param version of the application that it states
   * @param handled is told the version of each message
   */
  SimProcessor(int version, IntConsumer handled) {
    this.version = version;
    this.handled = handled;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public void onMessage(Inbound message, Outbound out) {
    handled.accept(message.version());
    int key = message.buffer().get(message.offset());
    refuseIfAsked(message);
    counts[key]++;
    ByteBuffer reply = out.claim(REPLY_BYTES);
    reply
        .putLong(out.offset(), counts[key])
        .putLong(out.offset() + Long.BYTES, clients[key])
        .putLong(out.offset() + 2 * Long.BYTES, sequences[key]);
    out.commit(REPLY_BYTES);
    clients[key] = message.clientId();
    sequences[key] = message.sequence();
    failIfAsked(message);
  }

  static void refuseIfAsked(Inbound message) {
    if (message.buffer().get(message.offset() + 1) == REFUSES) {
      throw new RejectedMessageException("refuses");
    }
  }

  static void failIfAsked(Inbound message) {
    if (message.buffer().get(message.offset() + 1) == FAILS) {
      throw new Failure();
    }
  }

  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure() {
      super("fails", null, false, false);
    }
  }

  @Override
  public void save(DataOutput out) throws IOException {
    for (int key = 0; key < KEYS; key++) {
      out.writeLong(counts[key]);
      out.writeLong(clients[key]);
      out.writeLong(sequences[key]);
    }
  }

  @Override
  public void restore(DataInput in) throws IOException {
    for (int key = 0; key < KEYS; key++) {
      counts[key] = in == null ? 0 : in.readLong();
      clients[key] = in == null ? 0 : in.readLong();
      sequences[key] = in == null ? 0 : in.readLong();
    }
  }
}
