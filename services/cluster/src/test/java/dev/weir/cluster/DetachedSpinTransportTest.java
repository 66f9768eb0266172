package dev.weir.cluster;

final class DetachedSpinTransportTest extends DetachedTransportTest {
  @Override
  Waiting waiting() {
    return Waiting.SPIN;
  }
}
