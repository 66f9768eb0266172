package dev.weir.bench.cluster.shards;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** Measures what clients notice when the members of a sharded service are upgraded. */
public final class UpgradeScenario implements Scenario {
  private static final String NAME = "upgrade";

  /** Setting: a jar of an earlier build. */
  private static final String FROM = "upgrade.from";

  private static final String NEEDED = "dev/weir/group/Groups.class";
  private static final int FULL_ROUNDS = 1;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "The members, the load and the checks of rebalance, but the members stay. Each in turn is"
            + " stopped by SIGTERM, so that it hands its roles over, and started again on its"
            + " data; the next one follows when all copies are in sync. earlier build: with "
            + FROM
            + "=PATH the members begin with the libraries of that jar, a cluster-bench.jar or"
            + " documents.jar of an earlier commit, and are started again with those of this one."
            + " same build: without it nothing is upgraded, and the row shows the restarts alone."
            + " outageMaxMs: the longest time without any reply. keyOutageMaxMs: the longest time"
            + " for which a key with a message that was due got no reply. tookMs: from the signal"
            + " until all copies are in sync. Rounds: members that were started again.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    ShardPlan plan = ShardPlan.of(context, NAME, FULL_ROUNDS);
    Path from = context.option(FROM).map(Path::of).orElse(null);
    if (from != null && plan.rounds() > 1) {
      throw new IllegalArgumentException(
          NAME
              + ".rounds is "
              + plan.rounds()
              + ", allowed is 1 with "
              + FROM
              + ": a member is upgraded once");
    }
    String commit = from == null ? "this" : commit(from);
    ShardChange upgrade = new ShardChange(from == null ? "same build" : "earlier build");
    new ShardRun(context, NAME, plan)
        .report(
            ShardCluster.FIRST,
            from == null ? null : from + File.pathSeparator + ChildJvm.ownClassPath(),
            List.of(upgrade),
            plan.rounds() * ShardCluster.FIRST.size(),
            run -> {
              for (int round = 0; round < plan.rounds(); round++) {
                for (String name : ShardCluster.FIRST) {
                  run.make(upgrade, cluster -> restart(cluster, name));
                }
              }
            },
            row -> row.column("from", commit));
  }

  private static long restart(ShardCluster cluster, String name)
      throws IOException, InterruptedException {
    long stopNs = System.nanoTime();
    cluster.stop(name);
    cluster.start(name);
    cluster.awaitServes(name);
    cluster.awaitPlaced(ShardCluster.FIRST);
    return stopNs;
  }

  /**
   * The commit of a jar, as its manifest says.
   *
   * @throws IllegalArgumentException if it is no jar with the classes of a sharded service
   */
  static String commit(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      if (file.getEntry(NEEDED) != null) {
        String commit =
            manifest == null ? null : manifest.getMainAttributes().getValue("Git-Commit");
        return commit == null ? "unknown" : commit.substring(0, Math.min(9, commit.length()));
      }
    } catch (IOException e) {
      throw notAllowed(jar, e);
    }
    throw notAllowed(jar, null);
  }

  private static IllegalArgumentException notAllowed(Path jar, IOException cause) {
    return new IllegalArgumentException(
        FROM
            + " is "
            + jar
            + ", allowed is a cluster-bench.jar or documents.jar of an earlier build",
        cause);
  }
}
