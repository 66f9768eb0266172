package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.Waiting;

public final class TcpBlockTransportTest extends TcpTransportTest {
  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }
}
