package dev.weir.bench.cluster.network;

/**
 * Where a member is.
 *
 * @param port of Hazelcast
 * @param replicationPort of the TCP replication
 * @param clientPort where it takes clients
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

  /** Of a member that others reach where it listens. */
  public MemberAddress(String name, String host, int port, int replicationPort, int clientPort) {
    this(name, host, port, replicationPort, clientPort, port, replicationPort);
  }

  /** As others join it. */
  public String hazelcast() {
    return host + ":" + publicPort;
  }

  public String clients() {
    return host + ":" + clientPort;
  }
}
