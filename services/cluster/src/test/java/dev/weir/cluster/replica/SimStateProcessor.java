package dev.weir.cluster.replica;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/** The registers of {@link SimProcessor} as objects of the group's state. */
final class SimStateProcessor implements StateReplicatedProcessor {
  /** Ids of the last bodies are above those of the registers. */
  private static final int BODY = 100;

  private final int version;
  private final IntConsumer handled;
  private final ByteBuffer value = ByteBuffer.allocate(SimProcessor.REPLY_BYTES);

  /** As {@link SimProcessor}. */
  SimStateProcessor(int version, IntConsumer handled) {
    this.version = version;
    this.handled = handled;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    handled.accept(message.version());
    ByteBuffer body = message.buffer();
    int key = body.get(message.offset());
    SimProcessor.refuseIfAsked(message);
    ByteBuffer old = state.get(key);
    long count = old == null ? 1 : old.getLong(0) + 1;
    long client = old == null ? 0 : old.getLong(Long.BYTES);
    long sequence = old == null ? 0 : old.getLong(2 * Long.BYTES);
    value.putLong(0, count).putLong(Long.BYTES, message.clientId());
    state.put(key, value.putLong(2 * Long.BYTES, message.sequence()));
    state.put(BODY + key, body.slice(message.offset(), message.length()));
    ByteBuffer reply = out.claim(SimProcessor.REPLY_BYTES);
    reply
        .putLong(out.offset(), count)
        .putLong(out.offset() + Long.BYTES, client)
        .putLong(out.offset() + 2 * Long.BYTES, sequence);
    out.commit(SimProcessor.REPLY_BYTES);
    SimProcessor.failIfAsked(message);
  }
}
