package dev.weir.bench.cluster.processor;

/**
 * Where the Hazelcast member of a process listens, and where it finds the other one.
 *
 * @param peer host and port of the other member
 */
public record NodeAddress(String host, int port, String peer) {
  static final String LOOPBACK = "127.0.0.1";

  private static final int PRIMARY_PORT = 5701;
  private static final int BACKUP_PORT = 5702;

  /**
   * An address with the default ports where nothing else is given.
   *
   * @param port null for the default
   * @param peer null for the default port of the other member on the loopback address
   */
  public static NodeAddress of(boolean backup, String host, Integer port, String peer) {
    return new NodeAddress(
        host,
        port != null ? port : backup ? BACKUP_PORT : PRIMARY_PORT,
        peer != null ? peer : LOOPBACK + ":" + (backup ? PRIMARY_PORT : BACKUP_PORT));
  }

  /** The default address of a primary whose backup is on the same machine. */
  public static NodeAddress ofLocalPrimary() {
    return of(false, LOOPBACK, null, null);
  }

  /** The same host with this port, and with a peer on the loopback address. */
  NodeAddress onPorts(int newPort, int peerPort) {
    return new NodeAddress(host, newPort, LOOPBACK + ":" + peerPort);
  }
}
