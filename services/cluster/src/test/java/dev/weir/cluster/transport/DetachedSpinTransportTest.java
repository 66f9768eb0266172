package dev.weir.cluster.transport;

import dev.weir.cluster.Waiting;

public final class DetachedSpinTransportTest extends DetachedTransportTest {
  @Override
  public Waiting waiting() {
    return Waiting.SPIN;
  }
}
