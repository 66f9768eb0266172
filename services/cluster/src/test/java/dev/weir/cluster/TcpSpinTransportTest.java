package dev.weir.cluster;

final class TcpSpinTransportTest extends TcpTransportTest {
  @Override
  Waiting waiting() {
    return Waiting.SPIN;
  }
}
