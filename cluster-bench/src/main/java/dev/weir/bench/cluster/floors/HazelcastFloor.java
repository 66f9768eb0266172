package dev.weir.bench.cluster.floors;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionService;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.cluster.floors.HazelcastMember.StoreBytes;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.record.Recording;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The floor of Hazelcast: one operation with a synchronous backup in a second process. */
final class HazelcastFloor {
  private static final Duration START = Duration.ofSeconds(180);
  private static final long POLL_MS = 10;

  private final RunContext context;
  private final Floors floors;
  private final byte[] bytes = new byte[FloorsScenario.BYTES];

  HazelcastFloor(RunContext context, Floors floors) {
    this.context = context;
    this.floors = floors;
  }

  void run() throws Exception {
    int[] ports = Ports.free(2);
    HazelcastInstance member = HazelcastMember.start(ports[0], List.of(ports[0], ports[1]));
    try (ChildJvm child =
        ChildJvm.start(
            ChildFlags.of(256),
            HazelcastMember.class,
            List.of(Integer.toString(ports[1]), Integer.toString(ports[0])))) {
      child.awaitLine(HazelcastMember.READY, START);
      awaitBackups(member);
      IMap<Integer, byte[]> map = member.getMap(HazelcastMember.MAP);
      int key = ownKey(member);
      blocking(map, key);
      paced(map, key);
    } finally {
      member.getLifecycleService().terminate();
    }
  }

  private static void awaitBackups(HazelcastInstance member)
      throws IOException, InterruptedException {
    long endNs = System.nanoTime() + START.toNanos();
    PartitionService partitions = member.getPartitionService();
    while (member.getCluster().getMembers().size() < 2 || !partitions.isClusterSafe()) {
      if (System.nanoTime() > endNs) {
        throw new IOException("the two Hazelcast members have not formed a cluster");
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
  }

  /** A key that this process owns, so that the child process has its backup. */
  private static int ownKey(HazelcastInstance member) {
    int key = 0;
    while (!member
        .getPartitionService()
        .getPartition(key)
        .getOwner()
        .equals(member.getCluster().getLocalMember())) {
      key++;
    }
    return key;
  }

  private void blocking(IMap<Integer, byte[]> map, int key) throws Exception {
    Recording recording = Recording.singleWriter();
    long operations = context.scaled(5_000L, 20_000L);
    Load load = Load.of(operations).recordingInto(recording);
    Target target =
        (operation, startNs, sink) ->
            sink.onReply(operation, startNs, reply(map.executeOnKey(key, new StoreBytes(bytes))));
    measure("blocking", recording, () -> new ClosedLoop(target, load, 1).run(Runnable::run));
  }

  private void paced(IMap<Integer, byte[]> map, int key) throws Exception {
    Recording recording = Recording.concurrent();
    long count = FloorsScenario.paced(context);
    Load load = Load.of(count).recordingInto(recording);
    Target target = (operation, startNs, sink) -> submit(map, key, operation, startNs, sink);
    measure(
        "paced", recording, () -> new OpenLoop(target, load, FloorsScenario.RATE_PER_SEC).run());
  }

  private void submit(
      IMap<Integer, byte[]> map, int key, long operation, long startNs, ReplySink sink) {
    map.submitToKey(key, new StoreBytes(bytes))
        .whenCompleteAsync(
            (length, failure) -> {
              if (failure != null) {
                sink.onFailure(operation, startNs, failure);
              } else {
                sink.onReply(operation, startNs, reply(length));
              }
            },
            Runnable::run);
  }

  private Reply reply(Integer length) {
    return length == bytes.length ? Reply.OK : Reply.CORRUPT;
  }

  private void measure(String load, Recording recording, Rounds.Round round) throws Exception {
    context.report(
        floors
            .measure(context, "hazelcast", "entry-processor-" + load, recording, round)
            .payloadBytes(FloorsScenario.BYTES));
  }
}
