package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole nodes: Hazelcast, transports, logs and groups, all in this process. */
@Tag("slow")
@Timeout(900)
class ClusterNodeTest {
  private static final Set<OfferResult> TAKEN =
      EnumSet.of(OfferResult.ACCEPTED, OfferResult.ANSWERED, OfferResult.PENDING);
  private static final List<String> NAMES = List.of("a", "b");
  private static final long WINDOW = 2_048;
  private static final long WARM_UP = 40_000;
  private static final long MESSAGES = 120_000;

  static {
    QuietLog.set();
  }

  @TempDir Path directory;

  private final List<ClusterNode> nodes = new ArrayList<>();
  private final Map<String, List<ProcessorGroup>> groups = new LinkedHashMap<>();
  private final AtomicLong replies = new AtomicLong();

  @AfterEach
  void nothingIsLeft() {
    nodes.forEach(ClusterNode::close);
    Await.until(() -> "threads end: " + Threads.alive(), () -> Threads.alive().isEmpty());
  }

  private void startNodes() {
    List<Integer> ports = FreePorts.find(NAMES.size());
    List<String> join = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    for (int i = 0; i < NAMES.size(); i++) {
      nodes.add(
          ClusterNode.start(
              new NodeOptions()
                  .setMemberName(NAMES.get(i))
                  .setPort(ports.get(i))
                  .setJoin(join)
                  .setDirectory(directory.resolve(NAMES.get(i)))));
    }
  }

  private ProcessorGroup startGroup(ClusterNode node, GroupOptions options) {
    return node.group(options)
        .processor(new SumProcessor())
        .replies((client, sequence, buffer, offset, length) -> replies.set(sequence))
        .start();
  }

  private void startEverywhere(GroupOptions options) {
    List<ProcessorGroup> members = nodes.stream().map(node -> startGroup(node, options)).toList();
    groups.put(options.getName(), members);
  }

  /** The member where a group accepts with both in sync. */
  private String awaitPrimary(String group) {
    List<ProcessorGroup> members = groups.get(group);
    Await.until(
        () -> group + " is in sync: " + members.stream().map(ProcessorGroup::stats).toList(),
        () -> members.stream().anyMatch(ClusterNodeTest::isHealthy));
    return members.stream().filter(ClusterNodeTest::isHealthy).findFirst().get().stats().primary();
  }

  private static boolean isHealthy(ProcessorGroup group) {
    GroupStats stats = group.stats();
    return stats.accepting() && stats.inSync() == NAMES.size();
  }

  /** Sends numbers to whichever accepts and waits for their replies, many on their way. */
  private void send(List<ProcessorGroup> members, long from, long to) {
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES);
    for (long sequence = from; sequence <= to; ) {
      body.putLong(0, sequence);
      boolean room = sequence - replies.get() <= WINDOW;
      if (room && isTaken(members, sequence, body)) {
        sequence++;
      } else {
        members.forEach(ProcessorGroup::flush);
        LockSupport.parkNanos(20_000);
      }
    }
    Await.until(
        () -> "replies up to " + to + " come, the last is " + replies,
        () -> {
          members.forEach(ProcessorGroup::flush);
          return replies.get() == to;
        });
  }

  private static boolean isTaken(List<ProcessorGroup> members, long sequence, ByteBuffer body) {
    for (ProcessorGroup member : members) {
      if (TAKEN.contains(member.offer(1, sequence, body, 0, Long.BYTES))) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource
  void noThreadIsStartedForMessages(Replication replication) throws IOException {
    startNodes();
    startEverywhere(
        TestGroup.patient().setMembers(NAMES).setMinInSync(2).setReplication(replication));
    ProcessorGroup primary =
        groups.get(GroupOptions.DEFAULT_NAME).get(NAMES.indexOf(awaitPrimary("processor")));
    send(List.of(primary), 1, WARM_UP);
    try (ThreadStarts starts = new ThreadStarts()) {
      send(List.of(primary), WARM_UP + 1, WARM_UP + MESSAGES);

      starts.assertNone();
    }
  }

  @Test
  void primariesAreSpreadOverTheMembers() {
    startNodes();
    Map<String, List<String>> lists = Placement.spread(List.of("g1", "g2", "g3", "g4"), NAMES);
    lists.forEach(
        (group, members) ->
            startEverywhere(TestGroup.patient().setName(group).setMembers(members)));

    assertThat(groups.keySet().stream().map(this::awaitPrimary))
        .containsExactly("a", "b", "a", "b");
  }

  @Test
  void aMemberThatReturnsGetsTheRoleOfTheGroupsThatPreferIt() {
    startNodes();
    GroupOptions options =
        TestGroup.patient()
            .setMembers(List.of("b", "a"))
            .setLeaseMs(1_500)
            .setTakeoverMs(2_000)
            .setHandBackMs(6_000);
    startEverywhere(options);
    ProcessorGroup a = groups.get("processor").get(0);
    ProcessorGroup b = groups.get("processor").get(1);
    Await.until(() -> "b is primary: " + b.stats(), () -> isHealthy(b));
    // A machine that stands still for longer than a takeover takes changes the roles meanwhile.
    send(List.of(a, b), 1, 100);

    b.close();
    Await.until(() -> "a takes over", () -> a.stats().accepting());
    send(List.of(a), 101, 200);
    ProcessorGroup again = startGroup(nodes.get(1), options);

    Await.until(() -> "b is primary again: " + again.stats(), () -> isHealthy(again));
    assertThat(again.stats().logEnd()).isEqualTo(200);
    send(List.of(a, again), 201, 300);
  }

  @Test
  void aGroupRunsOnceOnAMember() {
    startNodes();
    GroupOptions options = new GroupOptions().setMembers(NAMES);
    ProcessorGroup first = startGroup(nodes.get(0), options);

    assertThatThrownBy(() -> startGroup(nodes.get(0), options))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("group processor runs on this member already");

    first.close();
    startGroup(nodes.get(0), options);
  }
}
