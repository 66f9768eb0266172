package dev.weir.bench.cluster;

/**
 * Where a member is.
 *
 * @param port of Hazelcast
 * @param replicationPort of the TCP replication
 * @param clientPort where it takes clients
 */
record MemberAddress(String name, String host, int port, int replicationPort, int clientPort) {

  String hazelcast() {
    return host + ":" + port;
  }

  String clients() {
    return host + ":" + clientPort;
  }
}
