package dev.weir.cluster.transport;

import java.net.InetSocketAddress;

/** A connection that broke, of which it is to be found out whether the other process is gone. */
public final class Loss {
  /** Where the process listened that was connected. */
  public final InetSocketAddress address;

  private volatile boolean refused;
  private boolean told;

  public Loss(InetSocketAddress address) {
    this.address = address;
  }

  /** Nobody listens there any more. */
  public void refuse() {
    refused = true;
  }

  public boolean isRefused() {
    return refused;
  }

  /** Whether the receiver is to be told now; true once. By the thread that works the link. */
  public boolean takeRefused() {
    if (!refused || told) {
      return false;
    }
    told = true;
    return true;
  }
}
