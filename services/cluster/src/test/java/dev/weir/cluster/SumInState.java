package dev.weir.cluster;

import dev.weir.testing.Undeclared;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Adds up the numbers it gets in object 1; replies with the sum. */
final class SumInState implements StateReplicatedProcessor {
  private static final int ID = 1;

  private final ByteBuffer value = ByteBuffer.allocate(Long.BYTES);
  private final long failsAt;

  /**
   * @param failsAt the number it throws at
   */
  SumInState(long failsAt) {
    this.failsAt = failsAt;
  }

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    ByteBuffer old = state.get(ID);
    long number = message.buffer().getLong(message.offset());
    if (number == SumProcessor.REFUSED) {
      throw new RejectedMessageException("asked to refuse");
    }
    long sum = (old == null ? 0 : old.getLong(0)) + number;
    state.put(ID, value.putLong(0, sum));
    ByteBuffer reply = out.claim(Long.BYTES);
    reply.putLong(out.offset(), sum);
    out.commit(Long.BYTES);
    if (number == SumProcessor.UNDECLARED) {
      Undeclared.raise(new IOException("asked to fail at " + number));
    }
    if (number == failsAt) {
      // In the middle of a change: state and reply are changed already.
      throw new IllegalStateException("asked to fail at " + number);
    }
  }
}
