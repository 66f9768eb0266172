package dev.weir.cluster;

final class DetachedBlockTransportTest extends DetachedTransportTest {
  @Override
  Waiting waiting() {
    return Waiting.BLOCK;
  }
}
