package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.Waiting;

public final class TcpSpinTransportTest extends TcpTransportTest {
  @Override
  public Waiting waiting() {
    return Waiting.SPIN;
  }
}
