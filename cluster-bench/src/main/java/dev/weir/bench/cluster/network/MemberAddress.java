package dev.weir.bench.cluster.network;

/**
 * The addresses of a member.
 *
 * @param port of Hazelcast
 * @param replicationPort of the TCP replication
 * @param clientPort where the member accepts clients
 * @param publicPort where other members reach its Hazelcast
 * @param publicReplicationPort where other members reach its TCP replication
 */
public record MemberAddress(
    String name,
    String host,
    int port,
    int replicationPort,
    int clientPort,
    int publicPort,
    int publicReplicationPort) {

  /** A member whose public ports are those on which it listens. */
  public MemberAddress(String name, String host, int port, int replicationPort, int clientPort) {
    this(name, host, port, replicationPort, clientPort, port, replicationPort);
  }

  /** Host and port by which other members join it. */
  public String hazelcast() {
    return host + ":" + publicPort;
  }

  public String clients() {
    return host + ":" + clientPort;
  }
}
