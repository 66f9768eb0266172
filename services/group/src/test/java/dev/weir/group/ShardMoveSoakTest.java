package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five members, each a process, whose shards move for minutes under load: shards are moved, members
 * are added and removed, and killed with -9 and started again, by a seed. {@code
 * -Dweir.soak.seconds=600} says for how long.
 */
@Tag("soak")
@Timeout(3_600)
class ShardMoveSoakTest {
  private static final int KEYS = 24;
  private static final int SENDERS = 2;
  private static final long SECONDS = Long.getLong("weir.soak.seconds", 600);
  private static final long SEED = Long.getLong("weir.seed", System.nanoTime());
  private static final int MOST_PAUSE_MS = 3_000;

  private final Random random = new Random(SEED);
  private final Map<String, Integer> done = new TreeMap<>();
  private MoveCluster cluster;
  private RegisterLoad load;

  @Test
  void everyKeyIsLinearizableWhileMembersComeGoAndAreKilled(@TempDir Path directory) {
    System.out.printf("shard move soak: seed %d, %d s%n", SEED, SECONDS);
    try (MoveCluster opened = new MoveCluster(directory, MoveProcess.class, MoveProcess.SHARDS)) {
      cluster = opened;
      for (String name : List.of("d", "e")) {
        cluster.start(name);
        cluster.awaitServes(name);
        cluster.command("a", "add", name);
      }
      cluster.awaitPlaced("a", "b", "c", "d", "e");
      load = RegisterLoad.start(cluster.outside().vertx, MoveProcess.SERVICE, KEYS, SENDERS);
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (System.nanoTime() - endNs < 0) {
        act();
        pause(random.nextInt(MOST_PAUSE_MS));
        goesOn();
      }
      for (String name : MoveCluster.NAMES) {
        cluster.command("a", "add", name);
      }
      cluster.awaitPlaced("a", "b", "c", "d", "e");
      Futures.result("all is answered", load.stop());
      System.out.printf(
          "shard move soak: %d answered, %d attempts failed, %s%n",
          load.answered(), load.failed(), done);
      assertThat(load.check()).as("seed %d", SEED).isEmpty();
    }
  }

  private void act() {
    int dice = random.nextInt(100);
    List<String> planned = planned();
    if (dice < 50) {
      move(planned);
    } else if (dice < 75) {
      kill();
    } else {
      changeMembers(planned);
    }
  }

  private List<String> planned() {
    List<String> planned = new ArrayList<>();
    status().getJsonArray("members").forEach(name -> planned.add((String) name));
    return planned;
  }

  /** What a member says that is chosen at random. */
  private JsonObject status() {
    JsonObject[] status = {new JsonObject()};
    Await.until(
        "a member says who holds the shards",
        MoveCluster.DEADLINE_S,
        () -> {
          status[0] = cluster.status(any(MoveCluster.NAMES));
          return status[0].containsKey("members");
        });
    return status[0];
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void move(List<String> planned) {
    int shard = random.nextInt(MoveProcess.SHARDS);
    JsonArray holders =
        status().getJsonArray("shards").getJsonObject(shard).getJsonArray("members");
    List<String> others = planned.stream().filter(name -> !holders.contains(name)).toList();
    if (!others.isEmpty()) {
      ask(
          "move",
          new JsonObject()
              .put("move", shard)
              .put("from", holders.getString(random.nextInt(holders.size())))
              .put("to", any(others)));
    }
  }

  private void changeMembers(List<String> planned) {
    String name = any(MoveCluster.NAMES);
    if (!planned.contains(name)) {
      ask("add", new JsonObject().put("add", name));
    } else if (planned.size() > MoveProcess.COPIES) {
      ask("remove", new JsonObject().put("remove", name));
    }
  }

  /** It may be refused: what was asked for depends on what a member was told. */
  private void ask(String what, JsonObject command) {
    Future<JsonObject> asked = cluster.ask(any(MoveCluster.NAMES), command);
    Await.until("an answer to " + command, asked::isComplete);
    count(asked.succeeded() ? what : what + " refused");
  }

  private void kill() {
    String name = any(MoveCluster.NAMES);
    cluster.kill(name);
    pause(random.nextInt(MOST_PAUSE_MS));
    cluster.start(name);
    cluster.awaitServes(name);
    count("kill");
  }

  private void count(String what) {
    done.merge(what, 1, Integer::sum);
  }

  private void pause(int ms) {
    Future<?> pause = cluster.outside().vertx.timer(ms + 1);
    Await.until("a moment", pause::isComplete);
  }

  private void goesOn() {
    long before = load.answered();
    Await.until(
        () -> "requests are answered, " + MoveCluster.NAMES.stream().map(cluster::status).toList(),
        MoveCluster.DEADLINE_S,
        () -> load.answered() > before + KEYS);
  }
}
