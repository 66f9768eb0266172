package dev.weir.gateway;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Counts its messages and replies to none. */
final class CountingProcessor implements EventSourcedProcessor {
  private long messages;

  @Override
  public void onMessage(Inbound message, Outbound out) {
    messages++;
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeLong(messages);
  }

  @Override
  public void restore(DataInput in) throws IOException {
    messages = in == null ? 0 : in.readLong();
  }
}
