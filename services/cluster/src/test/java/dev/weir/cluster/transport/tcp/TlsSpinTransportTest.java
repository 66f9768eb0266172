package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.Waiting;

public final class TlsSpinTransportTest extends TlsTransportTest {
  @Override
  public Waiting waiting() {
    return Waiting.SPIN;
  }
}
