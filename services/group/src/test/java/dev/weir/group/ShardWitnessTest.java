package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.Futures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards of two copies and a witness; each member is a process. */
@Tag("slow")
@Timeout(900)
class ShardWitnessTest {
  private static final int KEYS = 40;

  @TempDir private Path directory;

  private MoveCluster cluster;
  private CountingLoad load;

  private void everyKeyGoesOn(String when) {
    long before = load.fewest();
    Await.until(
        () -> "each key is answered while " + when + ": " + load.fewest(),
        MoveCluster.DEADLINE_S,
        () -> load.fewest() > before + 3);
  }

  /** A member that hangs refuses no connection: without a vote its shards would wait for it. */
  private void hangs(String name) {
    ChildJvm member = cluster.running().get(name);
    member.signal("STOP");
    everyKeyGoesOn(name + " hangs");
    member.signal("CONT");
  }

  private void assertEachShardHasAWitness() {
    Await.until("b says who holds the shards", () -> cluster.status("b").containsKey("shards"));
    JsonArray shards = cluster.status("b").getJsonArray("shards");
    assertThat(shards).hasSize(WitnessProcess.SHARDS);
    for (Object each : shards) {
      JsonObject shard = (JsonObject) each;
      assertThat(shard.getString("witness")).isNotNull();
      assertThat(shard.getJsonArray("members"))
          .hasSize(2)
          .doesNotContain(shard.getString("witness"));
    }
  }

  @Test
  void shardsGoOnWhileAMemberHangsAndWitnessesFollowTheirMoves() {
    try (MoveCluster started =
        new MoveCluster(directory, WitnessProcess.class, WitnessProcess.SHARDS)) {
      cluster = started;
      cluster.awaitPlaced("a", "b", "c");
      assertEachShardHasAWitness();
      load = CountingLoad.start(cluster.outside().vertx, MoveProcess.SERVICE, KEYS);
      everyKeyGoesOn("all are there");
      hangs("c");
      cluster.awaitPlaced("a", "b", "c");

      cluster.start("d");
      cluster.awaitServes("d");
      cluster.command("b", "add", "d");
      cluster.awaitPlaced("a", "b", "c", "d");
      assertEachShardHasAWitness();

      // The shards of one that is lost get other holders, or another witness.
      cluster.kill("a");
      cluster.command("b", "remove", "a");
      cluster.awaitPlaced("b", "c", "d");
      assertEachShardHasAWitness();

      // What moved is known after a restart.
      cluster.kill("d");
      cluster.start("d");
      cluster.awaitServes("d");
      cluster.awaitPlaced("b", "c", "d");
      hangs("d");
      cluster.awaitPlaced("b", "c", "d");
      Futures.result("all is answered and read", load.stop());
      assertThat(load.wrong()).isEmpty();
    }
  }
}
