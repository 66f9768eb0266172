package dev.weir.cluster.transport.tcp;

import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Finds out whether somebody listens, and says nothing to whom it finds. */
final class TcpProbe extends TcpConnect {
  private final Consumer<Boolean> onEnd;

  /**
   * @param onEnd told true if nobody listens for certain, false if it cannot be said
   */
  TcpProbe(TcpEndpoint endpoint, SocketChannel channel, Consumer<Boolean> onEnd) {
    super(endpoint, channel);
    this.onEnd = onEnd;
  }

  @Override
  void greet() {
    fail(null);
  }

  @Override
  void answered() {
    // Closed by now.
  }

  @Override
  void failed(Exception reason) {
    onEnd.accept(isRefused(reason));
  }
}
