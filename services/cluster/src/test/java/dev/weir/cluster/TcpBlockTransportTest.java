package dev.weir.cluster;

final class TcpBlockTransportTest extends TcpTransportTest {
  @Override
  Waiting waiting() {
    return Waiting.BLOCK;
  }
}
