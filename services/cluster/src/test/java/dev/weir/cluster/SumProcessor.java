package dev.weir.cluster;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Adds up the numbers it gets; replies with the sum. */
final class SumProcessor implements EventSourcedProcessor {
  private long sum;

  @Override
  public void onMessage(Inbound message, Outbound out) {
    sum += message.buffer().getLong(message.offset());
    ByteBuffer reply = out.claim(Long.BYTES);
    reply.putLong(out.offset(), sum);
    out.commit(Long.BYTES);
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeLong(sum);
  }

  @Override
  public void restore(DataInput in) throws IOException {
    sum = in == null ? 0 : in.readLong();
  }
}
