package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members of a service come, go and are killed while requests come from a node that has no shards;
 * each is a process.
 */
@Tag("slow")
@Timeout(900)
class ShardMoveProcessTest {
  private static final int KEYS = 40;

  @TempDir private Path directory;

  private static void goesOn(CountingLoad load) {
    long before = load.answered();
    Await.until("requests are answered", () -> load.answered() > before + 10 * KEYS);
  }

  @Test
  void membersJoinLeaveAndAreKilledUnderLoadAndEachRequestIsAppliedOnce() {
    try (MoveCluster cluster = new MoveCluster(directory, MoveProcess.class, MoveProcess.SHARDS)) {
      cluster.awaitPlaced("a", "b", "c");
      CountingLoad load = CountingLoad.start(cluster.outside().vertx, MoveProcess.SERVICE, KEYS);
      goesOn(load);

      cluster.start("d");
      cluster.awaitServes("d");
      cluster.command("b", "add", "d");
      cluster.awaitPlaced("a", "b", "c", "d");
      awaitReplicas(cluster, "d", MoveProcess.SHARDS * MoveProcess.COPIES / 4);
      goesOn(load);

      // One leaves while another one joins, and a third one is killed meanwhile and comes back.
      cluster.start("e");
      cluster.awaitServes("e");
      cluster.command("d", "add", "e");
      cluster.command("d", "remove", "a");
      Await.until("moves have begun", () -> cluster.status("e").getInteger("replicas", 0) > 0);
      cluster.kill("b");
      cluster.start("b");
      cluster.awaitServes("b");
      cluster.awaitPlaced("b", "c", "d", "e");
      awaitReplicas(cluster, "a", 0);
      cluster.running().remove("a").close();
      goesOn(load);

      // One is killed and does not come back: its shards get other members.
      cluster.kill("c");
      goesOn(load);
      cluster.command("d", "remove", "c");
      cluster.awaitPlaced("b", "d", "e");
      goesOn(load);

      // It comes back after all, with what it held.
      cluster.start("c");
      awaitReplicas(cluster, "c", 0);
      Futures.result("all is answered and read", load.stop());
      assertThat(load.wrong()).isEmpty();
    }
  }

  /** A member that is busy may not answer the first time. */
  private static void awaitReplicas(MoveCluster cluster, String name, int count) {
    Await.until(
        () -> name + " has " + count + " replicas: " + cluster.status(name),
        MoveCluster.DEADLINE_S,
        () -> cluster.status(name).getInteger("replicas", -1) == count);
  }
}
