package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Replication;
import dev.weir.cluster.ThreadOptions;
import dev.weir.processor.Encoding;
import java.nio.file.Path;
import java.util.List;

/**
 * A processor that is to be measured: its group, its threads, and where its members run.
 *
 * @param group options of the group, but for what its threads do
 * @param logs the directory in which each member gets one for its log
 * @param node options of the member in this process, but for its name and directory
 */
public record ProcessorSetup(
    Kind kind,
    Encoding encoding,
    GroupOptions group,
    Backup backup,
    ThreadPlan threads,
    Path logs,
    NodeOptions node) {
  static final String PRIMARY = "primary";
  static final String BACKUP = "backup";
  private static final String LOOPBACK = "127.0.0.1";
  private static final int PRIMARY_PORT = 5701;
  private static final int BACKUP_PORT = 5702;
  private static final int MAX_MESSAGE_BYTES = 1 << 10;
  private static final int SMALL_BATCH_BYTES = 16 << 10;
  private static final int FEW_BATCHES = 4;
  private static final int SMALL_REPLY_WINDOW = 1 << 10;

  // When spinning threads take all CPUs, seconds of silence prove nothing. Failover is measured
  // elsewhere.
  private static final int HEARTBEAT_MS = 100;
  private static final int LEASE_MS = 10_000;
  private static final int TAKEOVER_MS = 20_000;

  /** Where the backup runs. */
  public enum Backup {
    /** There is none. */
    NONE,
    /** In a process that the user starts. */
    ELSEWHERE,
    /** In a child process on this machine. */
    CHILD
  }

  /**
   * The options of a measured group of a primary and a backup.
   *
   * @param ackLevel when a member counts as having a message
   */
  public static GroupOptions groupOptions(
      Replication replication, boolean persistence, AckLevel ackLevel) {
    return new GroupOptions()
        .setName("bench")
        .setMembers(List.of(PRIMARY, BACKUP))
        .setPersistence(persistence)
        .setAckLevel(ackLevel)
        .setReplication(replication)
        .setMaxMessageBytes(MAX_MESSAGE_BYTES)
        .setHeartbeatMs(HEARTBEAT_MS)
        .setLeaseMs(LEASE_MS)
        .setTakeoverMs(TAKEOVER_MS);
  }

  /** The same group with fewer and smaller batches and fewer replies in memory. */
  public static GroupOptions savingMemory(GroupOptions group) {
    return group
        .setBatchBytes(SMALL_BATCH_BYTES)
        .setMaxBatches(Math.min(group.getMaxBatches(), FEW_BATCHES))
        .setReplyWindow(SMALL_REPLY_WINDOW);
  }

  /**
   * The options of a member, with the default ports of its role where nothing else is given.
   *
   * @param port null for the default
   * @param peer host and port of the other member; null for its default port on the loopback
   */
  public static NodeOptions nodeOptions(boolean backup, String host, Integer port, String peer) {
    return new NodeOptions()
        .setClusterName("weir-bench")
        .setHost(host)
        .setPort(port != null ? port : backup ? BACKUP_PORT : PRIMARY_PORT)
        .setJoin(
            List.of(peer != null ? peer : LOOPBACK + ":" + (backup ? PRIMARY_PORT : BACKUP_PORT)));
  }

  /** The options of a primary whose backup is on the same machine. */
  public static NodeOptions localPrimary() {
    return nodeOptions(false, LOOPBACK, null, null);
  }

  public boolean isClustered() {
    return backup != Backup.NONE;
  }

  /** The processor in words. */
  public String describe() {
    String members =
        isClustered()
            ? "a group of primary and backup, minInSync 1, the backup in sync throughout"
            : "a group of one member";
    return "%s; batches of %d KiB, %d of them unacknowledged, %d replies kept"
        .formatted(
            members, group.getBatchBytes() >> 10, group.getMaxBatches(), group.getReplyWindow());
  }

  /** The same with its member on this port, and the other member at the same host. */
  ProcessorSetup onPorts(int port, int peerPort) {
    NodeOptions ports =
        new NodeOptions(node).setPort(port).setJoin(List.of(node.getHost() + ":" + peerPort));
    return new ProcessorSetup(kind, encoding, group, backup, threads, logs, ports);
  }

  /** A member with these threads and its log in this directory. */
  Member member(String name, Path directory, ProcessThreads ofMember) {
    ThreadOptions own =
        new ThreadOptions()
            .setPersister(ofMember.waiting(Task.PERSISTER))
            .setSender(ofMember.waiting(Task.REPLICATION_SENDER))
            .setDispatcher(ofMember.waiting(Task.DISPATCHER))
            .setReplies(ofMember.waiting(Task.BUS_SENDER))
            .setReplyQueueDepth(group.getThreads().getReplyQueueDepth());
    return new Member(
        kind,
        encoding,
        new NodeOptions(node).setMemberName(name).setDirectory(directory),
        new GroupOptions(group)
            .setWaiting(ofMember.waiting(Task.MUX))
            .setLinkWaiting(ofMember.linkWaiting())
            .setThreads(own));
  }
}
