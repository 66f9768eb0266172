package dev.weir.cluster;

import static dev.weir.options.OptionTypes.choice;
import static dev.weir.options.OptionTypes.name;
import static dev.weir.options.OptionTypes.section;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import java.util.List;

/** Declares the options of a group: name, allowed values, default, and what each is for. */
final class DeclaredGroupOptions {
  static final OptionSet ALL = new OptionSet();
  static final Option<String> NAME =
      ALL.add("name", name(), GroupOptions.DEFAULT_NAME)
          .does("Name of the group, the same on all members.");
  static final Option<List<String>> MEMBERS =
      ALL.add("members", GroupChecks.members(), null)
          .does("Names of the members that hold the group.");
  static final Option<String> WITNESS =
      ALL.add("witness", name().orNull(), null)
          .does("Name of the member that only votes, one of three; null for none.");
  static final Option<Integer> MIN_IN_SYNC =
      ALL.integer("minInSync", GroupOptions.DEFAULT_MIN_IN_SYNC, 1, GroupOptions.MAX_MEMBERS)
          .does("Replicas that must hold a message before its reply is sent.");
  static final Option<PairPolicy> PAIR_POLICY =
      ALL.choice("pairPolicy", PairPolicy.BACKUP_TAKES_OVER)
          .does("Which of two members goes on when they do not hear each other.");
  static final Option<AckLevel> ACK_LEVEL =
      ALL.choice("ackLevel", AckLevel.PERSISTED).does("When a replica holds a message.");
  static final Option<Replication> REPLICATION =
      ALL.choice("replication", Replication.TCP).does("How members exchange frames.");
  static final Option<Waiting> WAITING =
      ALL.choice("waiting", Waiting.BLOCK).does("What the thread of the group does at rest.");
  static final Option<Waiting> LINK_WAITING =
      ALL.add("linkWaiting", choice(Waiting.class).orNull(), null)
          .does("How the TCP connections of the group are read; null for the same as waiting.");
  static final Option<Boolean> PERSISTENCE =
      ALL.flag("persistence", true).does("Whether the log is kept on disk.");
  static final Option<Integer> HEARTBEAT_MS =
      ALL.integer("heartbeatMs", GroupOptions.DEFAULT_HEARTBEAT_MS, 5, 10_000)
          .does("Pause between heartbeats.");
  static final Option<Integer> LEASE_MS =
      ALL.integer("leaseMs", GroupOptions.DEFAULT_LEASE_MS, 20, 300_000)
          .does("How long an answer to a heartbeat lets the primary acknowledge.");
  static final Option<Integer> TAKEOVER_MS =
      ALL.integer("takeoverMs", GroupOptions.DEFAULT_TAKEOVER_MS, 30, 600_000)
          .does("How long a primary may be silent until a backup takes over.");
  static final Option<Integer> HAND_BACK_MS =
      ALL.integer("handBackMs", GroupOptions.DEFAULT_HAND_BACK_MS, 0, 86_400_000)
          .does("How long the first member is in sync until it gets the role back; 0 for never.");
  static final Option<Integer> BATCH_BYTES =
      ALL.integer("batchBytes", GroupOptions.DEFAULT_BATCH_BYTES, 1 << 10, 4 << 20)
          .does("Size at which a batch is closed.");
  static final Option<Integer> MAX_BATCHES =
      ALL.integer("maxBatches", GroupOptions.DEFAULT_MAX_BATCHES, 1, 1024)
          .does("Unacknowledged batches.");
  static final Option<Integer> MAX_MESSAGE_BYTES =
      ALL.integer("maxMessageBytes", GroupOptions.DEFAULT_MAX_MESSAGE_BYTES, 1, 4 << 20)
          .does("Size of a message or a reply.");
  static final Option<Integer> REPLY_WINDOW =
      ALL.integer("replyWindow", GroupOptions.DEFAULT_REPLY_WINDOW, 1, 1 << 20)
          .does("Replies kept for each client at most; it may have as many messages without one.");
  static final Option<Integer> MAX_CLIENTS =
      ALL.integer("maxClients", GroupOptions.DEFAULT_MAX_CLIENTS, 1, 10_000_000)
          .does("Clients that are known at a time; for one more, the longest idle one makes room.");
  static final Option<Integer> CLIENT_EXPIRY_MS =
      ALL.integer("clientExpiryMs", GroupOptions.DEFAULT_CLIENT_EXPIRY_MS, 1000, Integer.MAX_VALUE)
          .does("Time without a message after which a client is forgotten.");
  static final Option<Long> SNAPSHOT_BYTES =
      ALL.whole("snapshotBytes", GroupOptions.DEFAULT_SNAPSHOT_BYTES, 1L << 20, 1L << 40)
          .does("Bytes of log between two snapshots.");
  static final Option<ThreadOptions> THREADS =
      ALL.add("threads", section(ThreadOptions::new, ThreadOptions::new), new ThreadOptions())
          .does("The threads of the group beside its own.");

  private DeclaredGroupOptions() {}
}
