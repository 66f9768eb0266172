package dev.weir.bench.cluster.shards;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures what clients notice when members join and leave a sharded service. */
public final class RebalanceScenario implements Scenario {
  private static final String NAME = "rebalance";
  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final int FULL_ROUNDS = 3;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "A sharded service on three members, each a process: "
            + ShardPlan.COPIES
            + " copies of each shard, a message is answered when "
            + ShardPlan.MIN_IN_SYNC
            + " members have written it to the operating system. A client on the clustered event"
            + " bus, which is no member, sends "
            + ShardPlan.RATE_PER_SEC
            + " messages/s of "
            + ShardPlan.PAYLOAD_BYTES
            + " bytes to "
            + ShardPlan.KEYS
            + " keys in turn; latency counts from the intended time. Before each change the load"
            + " runs until the JIT compilers of all processes are idle, or for 30 s (60 s before"
            + " the first one). The service counts the"
            + " messages of each key, and the client checks each count: a lost or doubled message"
            + " fails the row. join: a fourth member is started and added. leave: a member is"
            + " removed, and stopped when it has no replica any more. tookMs: from the command"
            + " until all shards are placed, with all copies in sync; if they never are, the row"
            + " fails. In the end all keys are read. outageMaxMs: the longest time without any reply."
            + " keyOutageMaxMs: the longest time for which a key with a message that was due got"
            + " no reply. moved: replicas that a member got. p50 and p99: while the change was"
            + " made; before and after: in undisturbed time.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    ShardPlan plan = ShardPlan.of(context, NAME, FULL_ROUNDS);
    ShardChange join = new ShardChange("join");
    ShardChange leave = new ShardChange("leave");
    new ShardRun(context, NAME, plan)
        .report(
            NAMES,
            null,
            List.of(join, leave),
            plan.rounds(),
            run -> {
              for (int round = 0; round < plan.rounds(); round++) {
                // The one that has left joins next.
                String joiner = NAMES.get((NAMES.size() - 1 + round) % NAMES.size());
                String leaver = NAMES.get(round % NAMES.size());
                run.make(join, cluster -> join(cluster, joiner, leaver));
                run.make(leave, cluster -> leave(cluster, leaver));
              }
            },
            row -> {});
  }

  private static long join(ShardCluster cluster, String joiner, String asked)
      throws IOException, InterruptedException {
    cluster.start(joiner);
    cluster.awaitServes(joiner);
    long addNs = System.nanoTime();
    cluster.command(asked, "add", joiner);
    cluster.awaitPlaced(NAMES);
    return addNs;
  }

  private static long leave(ShardCluster cluster, String leaver)
      throws IOException, InterruptedException {
    List<String> stay = new ArrayList<>(NAMES);
    stay.remove(leaver);
    long removeNs = System.nanoTime();
    cluster.command(stay.get(0), "remove", leaver);
    cluster.awaitPlaced(stay);
    cluster.stop(leaver);
    return removeNs;
  }
}
