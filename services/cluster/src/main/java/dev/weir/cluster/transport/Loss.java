package dev.weir.cluster.transport;

import java.net.InetSocketAddress;

/**
 * The loss of a connection to a process that may be gone. A transport probes the process until
 * there is a new connection, or a refused probe proves that it is gone.
 */
public final class Loss {
  private final InetSocketAddress address;
  private final long sinceNs = System.nanoTime();
  private volatile boolean refused;
  private boolean reported;

  /**
   * @param address where the lost process listened
   */
  public Loss(InetSocketAddress address) {
    this.address = address;
  }

  public InetSocketAddress address() {
    return address;
  }

  /** When the connection was lost, by {@link System#nanoTime}. */
  public long sinceNs() {
    return sinceNs;
  }

  /** Records that nobody listens at the address any more; any thread. */
  public void refuse() {
    refused = true;
  }

  /** Whether the process is known to be gone; any thread. */
  public boolean isRefused() {
    return refused;
  }

  /** Returns true once, when the receiver is to be told; by the thread that calls the receiver. */
  public boolean takeRefused() {
    if (!refused || reported) {
      return false;
    }
    reported = true;
    return true;
  }
}
