package dev.weir.bench.cluster.peers;

import java.nio.file.Path;

/** The peers, in the order of their rows. */
enum PeerKind {
  HAZELCAST_MAP(
      "hazelcast-imap",
      "none",
      2,
      "memory of two processes; a process may die, nothing is on disk",
      "IMap.set, one synchronous backup",
      (directory) -> HazelcastPeer.map()),
  HAZELCAST_RINGBUFFER(
      "hazelcast-ringbuffer",
      "none",
      2,
      "memory of two processes; a process may die, nothing is on disk",
      "Ringbuffer.add, one synchronous backup, in order; the oldest items are overwritten",
      (directory) -> HazelcastPeer.ringbuffer()),
  RATIS_FORCED(
      "ratis-forced",
      "disk",
      RatisPeerMain.SERVERS,
      "forced to the device on a majority of three",
      "Raft log, applied in order by a state machine that keeps a checksum",
      (directory) -> new RatisPeer(directory, true)),
  RATIS(
      "ratis",
      "os",
      RatisPeerMain.SERVERS,
      "written to the operating system on a majority of three (unsafe flush); survives killed"
          + " processes",
      "Raft log, applied in order by a state machine that keeps a checksum",
      (directory) -> new RatisPeer(directory, false)),
  AERON_FORCED(
      "aeron-cluster-forced",
      "disk",
      AeronPeerMain.NODES,
      "forced to the device by the archives of a majority of three (file sync level 1)",
      "Raft log, handled in order by a service that keeps a checksum and replies",
      (directory) -> new AeronPeer(directory, 1)),
  AERON(
      "aeron-cluster",
      "os",
      AeronPeerMain.NODES,
      "written to the operating system by the archives of a majority of three; survives killed"
          + " processes",
      "Raft log, handled in order by a service that keeps a checksum and replies",
      (directory) -> new AeronPeer(directory, 0));

  /** Starts the processes of a peer and its client. */
  interface Opener {
    PeerLog open(Path directory) throws Exception;
  }

  private final String label;
  private final String flush;
  private final int members;
  private final String durability;
  private final String semantics;
  private final Opener opener;

  PeerKind(
      String label, String flush, int members, String durability, String semantics, Opener opener) {
    this.label = label;
    this.flush = flush;
    this.members = members;
    this.durability = durability;
    this.semantics = semantics;
    this.opener = opener;
  }

  /** Starts its processes and a client of them. */
  PeerLog open(Path directory) throws Exception {
    return opener.open(directory);
  }

  /** What a member waits for before it accepts a body: none, os or disk. */
  String flush() {
    return flush;
  }

  /** Processes without that of the client. */
  int members() {
    return members;
  }

  /** What an accepted body survives. */
  String durability() {
    return durability;
  }

  /** What is called, and what is promised. */
  String semantics() {
    return semantics;
  }

  @Override
  public String toString() {
    return label;
  }
}
