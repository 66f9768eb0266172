package dev.weir.bench.cluster.processor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import java.nio.file.Path;
import java.util.List;

/**
 * One member of the measured group. All values are plain, so that a child process can be given them
 * as JSON.
 *
 * @param directory of its log
 */
record MemberSetup(
    String name, NodeAddress address, Path directory, GroupSetup group, ThreadsAtRest threads) {
  static final String PRIMARY = "primary";
  static final String BACKUP = "backup";

  private static final List<String> MEMBERS = List.of(PRIMARY, BACKUP);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_MESSAGE_BYTES = 1 << 10;

  // When spinning threads take all CPUs, seconds of silence prove nothing. Failover is measured
  // elsewhere.
  private static final int HEARTBEAT_MS = 100;
  private static final int LEASE_MS = 10_000;
  private static final int TAKEOVER_MS = 20_000;

  /** What each thread of a member does at rest; null for a thread that it does not have. */
  record ThreadsAtRest(
      Waiting own,
      Waiting link,
      Waiting persister,
      Waiting sender,
      Waiting dispatcher,
      Waiting replies) {

    static ThreadsAtRest of(ProcessThreads threads) {
      return new ThreadsAtRest(
          threads.waiting(Task.MUX),
          threads.linkWaiting(),
          threads.waiting(Task.PERSISTER),
          threads.waiting(Task.REPLICATION_SENDER),
          threads.waiting(Task.DISPATCHER),
          threads.waiting(Task.BUS_SENDER));
    }
  }

  static MemberSetup fromJson(String json) throws JsonProcessingException {
    return JSON.readValue(json, MemberSetup.class);
  }

  String toJson() throws JsonProcessingException {
    return JSON.writeValueAsString(this);
  }

  NodeOptions nodeOptions() {
    return new NodeOptions()
        .setClusterName("weir-bench")
        .setMemberName(name)
        .setHost(address.host())
        .setPort(address.port())
        .setJoin(List.of(address.peer()))
        .setDirectory(directory);
  }

  GroupOptions groupOptions() {
    return new GroupOptions()
        .setName("bench")
        .setMembers(MEMBERS)
        .setPersistence(group.persistence())
        .setAckLevel(group.ackLevel())
        .setReplication(group.replication())
        .setWaiting(threads.own)
        .setLinkWaiting(threads.link)
        .setThreads(
            new ThreadOptions()
                .setPersister(threads.persister)
                .setSender(threads.sender)
                .setDispatcher(threads.dispatcher)
                .setReplies(threads.replies)
                .setReplyQueueDepth(group.replyQueueDepth()))
        .setMaxMessageBytes(MAX_MESSAGE_BYTES)
        .setHeartbeatMs(HEARTBEAT_MS)
        .setLeaseMs(LEASE_MS)
        .setTakeoverMs(TAKEOVER_MS);
  }
}
