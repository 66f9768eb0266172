package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.Waiting;

public final class TcpSharedTransportTest extends TcpTransportTest {
  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }

  @Override
  boolean sharesReader() {
    return true;
  }
}
