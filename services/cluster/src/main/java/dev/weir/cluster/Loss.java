package dev.weir.cluster;

import java.net.InetSocketAddress;

/** A connection that broke, of which it is to be found out whether the other process is gone. */
final class Loss {
  /** Where the process listened that was connected. */
  final InetSocketAddress address;

  private volatile boolean refused;
  private boolean told;

  Loss(InetSocketAddress address) {
    this.address = address;
  }

  /** Nobody listens there any more. */
  void refuse() {
    refused = true;
  }

  boolean isRefused() {
    return refused;
  }

  /** Whether the receiver is to be told now; true once. By the thread that works the link. */
  boolean takeRefused() {
    if (!refused || told) {
      return false;
    }
    told = true;
    return true;
  }
}
