package dev.weir.cluster.transport;

import dev.weir.cluster.Waiting;

public final class DetachedBlockTransportTest extends DetachedTransportTest {
  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }
}
