package dev.weir.cluster.transport.tcp;

public final class TlsSharedTransportTest extends TlsTransportTest {
  @Override
  boolean sharesReader() {
    return true;
  }
}
