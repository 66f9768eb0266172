package dev.weir.cluster;

import dev.weir.testing.Undeclared;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Adds up the numbers it gets; replies with the sum. */
public final class SumProcessor implements EventSourcedProcessor {
  /** The number it refuses before it changes anything. */
  public static final long REFUSED = -7;

  /** The number at which it throws an exception that it does not declare. */
  public static final long UNDECLARED = -8;

  private final long failsAt;
  private final Runnable onRestore;
  private long sum;

  public SumProcessor() {
    this(Long.MIN_VALUE);
  }

  /**
   * @param failsAt the number it throws at
   */
  public SumProcessor(long failsAt) {
    this(failsAt, () -> {});
  }

  SumProcessor(long failsAt, Runnable onRestore) {
    this.failsAt = failsAt;
    this.onRestore = onRestore;
  }

  @Override
  public void onMessage(Inbound message, Outbound out) {
    long number = message.buffer().getLong(message.offset());
    if (number == REFUSED) {
      throw new RejectedMessageException("asked to refuse");
    }
    sum += number;
    ByteBuffer reply = out.claim(Long.BYTES);
    reply.putLong(out.offset(), sum);
    out.commit(Long.BYTES);
    if (number == UNDECLARED) {
      Undeclared.raise(new IOException("asked to fail at " + number));
    }
    if (number == failsAt) {
      // In the middle of a change: state and reply are changed already.
      throw new IllegalStateException("asked to fail at " + number);
    }
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeLong(sum);
  }

  @Override
  public void restore(DataInput in) throws IOException {
    onRestore.run();
    sum = in == null ? 0 : in.readLong();
  }
}
