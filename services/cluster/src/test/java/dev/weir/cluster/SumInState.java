package dev.weir.cluster;

import java.nio.ByteBuffer;

/** Adds up the numbers it gets in object 1; replies with the sum. */
final class SumInState implements StateReplicatedProcessor {
  private static final int ID = 1;

  private final ByteBuffer value = ByteBuffer.allocate(Long.BYTES);

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    ByteBuffer old = state.get(ID);
    long sum = (old == null ? 0 : old.getLong(0)) + message.buffer().getLong(message.offset());
    state.put(ID, value.putLong(0, sum));
    ByteBuffer reply = out.claim(Long.BYTES);
    reply.putLong(out.offset(), sum);
    out.commit(Long.BYTES);
  }
}
