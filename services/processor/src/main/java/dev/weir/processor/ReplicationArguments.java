package dev.weir.processor;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Replication;
import dev.weir.cluster.Waiting;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of how a group replicates, persists and fails over. */
final class ReplicationArguments {
  @Option(names = "--no-persistence", description = "Keep the log in memory only.")
  boolean noPersistence;

  @Option(
      names = "--replication",
      defaultValue = "tcp",
      description = "Transport: tcp or hazelcast; ${DEFAULT-VALUE} by default.")
  private Replication replication;

  @Option(
      names = "--waiting",
      defaultValue = "block",
      description = "How an idle group thread waits: block or spin; ${DEFAULT-VALUE} by default.")
  private Waiting waiting;

  @Option(
      names = "--ack-level",
      description =
          "When a member counts a message as stored: received, persisted (written to the operating"
              + " system) or flushed (forced to the device); persisted by default.")
  private AckLevel ackLevel;

  @Option(
      names = "--min-in-sync",
      defaultValue = "1",
      description =
          "Number of members that must store a message before its reply is sent;"
              + " ${DEFAULT-VALUE} by default.")
  private int minInSync;

  @Option(
      names = "--heartbeat-ms",
      defaultValue = "" + GroupOptions.DEFAULT_HEARTBEAT_MS,
      description = "Milliseconds between heartbeats; ${DEFAULT-VALUE} by default.")
  private int heartbeatMs;

  @Option(
      names = "--lease-ms",
      defaultValue = "" + GroupOptions.DEFAULT_LEASE_MS,
      description =
          "The primary stops replying when a backup is silent for this time; ${DEFAULT-VALUE} by"
              + " default.")
  private int leaseMs;

  @Option(
      names = "--takeover-ms",
      defaultValue = "" + GroupOptions.DEFAULT_TAKEOVER_MS,
      description =
          "A backup takes over when the primary is silent for this time; ${DEFAULT-VALUE} by"
              + " default.")
  private int takeoverMs;

  @Option(
      names = "--hand-back-ms",
      defaultValue = "" + GroupOptions.DEFAULT_HAND_BACK_MS,
      description =
          "The group's preferred member becomes primary again after it was in sync for this time;"
              + " 0, the default, for never.")
  private int handBackMs;

  GroupOptions toOptions(String group, List<String> members) {
    AckLevel byDefault = noPersistence ? AckLevel.RECEIVED : AckLevel.PERSISTED;
    return new GroupOptions()
        .setName(group)
        .setMembers(members)
        .setReplication(replication)
        .setWaiting(waiting)
        .setPersistence(!noPersistence)
        .setAckLevel(ackLevel == null ? byDefault : ackLevel)
        .setMinInSync(minInSync)
        .setHeartbeatMs(heartbeatMs)
        .setLeaseMs(leaseMs)
        .setTakeoverMs(takeoverMs)
        .setHandBackMs(handBackMs);
  }
}
