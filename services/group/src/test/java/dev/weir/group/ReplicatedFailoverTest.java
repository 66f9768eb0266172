package dev.weir.group;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members of a factory of documents, each a process, that are killed with SIGKILL under load, also
 * while shards move.
 */
class ReplicatedFailoverTest {
  private static final long COPIES_TIMEOUT_MS = 5_000;
  private static final int MOST_WRITES_BEFORE_KILL = 500;
  private static final int KILLS_OF_EACH = 7;
  private static final long SEED = Long.getLong("weir.seed", System.nanoTime());

  @TempDir private Path directory;
  private MoveCluster cluster;

  @Test
  @Tag("soak")
  @Timeout(3_600)
  void everyAcknowledgedDocumentOutlivesTwentyKills() {
    underLoad(this::killAndComeBack);
  }

  @Test
  @Tag("slow")
  @Timeout(900)
  void everyAcknowledgedDocumentOutlivesMovesOfShardsAndKillsMeanwhile() {
    underLoad(load -> moveAndKill(load, 3));
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void everyAcknowledgedDocumentOutlivesTwentyMovesOfShardsAndKillsMeanwhile() {
    underLoad(load -> moveAndKill(load, 20));
  }

  /** What is done to the members while clients write and read. */
  private interface Disturbance {
    /**
     * @return names of the members that hold shards at the end, at least three
     */
    List<String> run(DocumentLoad load);
  }

  private void underLoad(Disturbance disturbance) {
    try (MoveCluster opened =
        new MoveCluster(directory, ReplicatedProcess.class, MoveProcess.SHARDS)) {
      cluster = opened;
      cluster.awaitPlaced("a", "b", "c");
      RemoteFactory remote = ReplicatedProcess.connect(cluster.outside());
      DocumentLoad load = DocumentLoad.start(cluster.outside().vertx, remote);
      List<String> members = disturbance.run(load);
      load.stop();
      // A put that nobody waits for any more may still come between two looks.
      for (String other : members) {
        Await.until(
            other + " has what the first has", () -> copies(other).equals(copies(members.get(0))));
      }
      // One of the members is lost: the others have it all.
      cluster.kill(members.get(0));
      load.check();
      Futures.result("the factory is closed", remote.close());
    }
  }

  private List<String> killAndComeBack(DocumentLoad load) {
    for (int round = 0; round < KILLS_OF_EACH; round++) {
      for (String name : MoveProcess.FIRST) {
        load.awaitProgress();
        cluster.kill(name);
        load.awaitProgress();
        comeBack(name);
        cluster.awaitPlaced("a", "b", "c");
      }
    }
    return MoveProcess.FIRST;
  }

  private void comeBack(String name) {
    cluster.start(name);
    cluster.awaitServes(name);
  }

  /**
   * In each round a member joins or leaves, and any member is killed meanwhile. If two of three
   * copies of a shard were in sync at that moment, its documents wait until one is back.
   */
  private List<String> moveAndKill(DocumentLoad load, int rounds) {
    System.out.printf("moves and kills: seed %d%n", SEED);
    Random random = new Random(SEED);
    List<String> spare = new ArrayList<>(List.of("d"));
    List<String> members = new ArrayList<>(MoveProcess.FIRST);
    comeBack("d");
    for (int round = 0; round < rounds; round++) {
      load.awaitProgress();
      String asked = members.get(random.nextInt(members.size()));
      if (spare.isEmpty()) {
        String leaving = members.remove(random.nextInt(members.size()));
        spare.add(leaving);
        cluster.command(asked, "remove", leaving);
      } else {
        members.add(spare.get(0));
        cluster.command(asked, "add", spare.remove(0));
      }
      members.sort(null);
      String first = members.get(0);
      Await.until(
          "the change is known",
          MoveCluster.DEADLINE_S,
          () -> new JsonArray(members).equals(cluster.status(first).getJsonArray("members")));
      load.awaitProgress(random.nextInt(MOST_WRITES_BEFORE_KILL));
      List<String> running = List.copyOf(cluster.running().keySet());
      String killed = running.get(random.nextInt(running.size()));
      cluster.kill(killed);
      comeBack(killed);
      cluster.awaitPlaced(members.toArray(String[]::new));
    }
    load.awaitProgress();
    return members;
  }

  /**
   * What a member has of all documents, with their versions. The node outside may not know yet that
   * a member that has just started answers this.
   */
  private String copies(String member) {
    DeliveryOptions how = new DeliveryOptions().setSendTimeout(COPIES_TIMEOUT_MS);
    AtomicReference<String> copies = new AtomicReference<>();
    Await.until(
        "copies of " + member,
        () -> {
          Future<Message<String>> asked =
              cluster.outside().vertx.eventBus().request("copies." + member, null, how);
          Await.until("an answer of " + member, asked::isComplete);
          if (asked.succeeded()) {
            copies.set(asked.result().body());
          }
          return asked.succeeded();
        });
    return copies.get();
  }
}
