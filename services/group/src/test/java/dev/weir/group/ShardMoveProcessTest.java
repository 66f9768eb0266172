package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members of a service come, go and are killed while requests come from a node that has no shards;
 * each is a process.
 */
@Tag("slow")
@Timeout(600)
class ShardMoveProcessTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
  private static final int KEYS = 40;
  private static final long DEADLINE_S = 180;

  private final List<Integer> ports = FreePorts.find(2 * NAMES.size() + 1);
  private final Map<String, ChildJvm> running = new TreeMap<>();
  @TempDir private Path directory;
  private TestMember outside;

  private List<Integer> hazelcastPorts() {
    return ports.subList(0, NAMES.size() + 1);
  }

  private void start(String name) {
    int index = NAMES.indexOf(name);
    running.put(
        name,
        ChildJvm.of(MoveProcess.class)
            .flags("-Xmx256m")
            .mergeErrors()
            .start(
                name,
                "" + ports.get(index),
                "" + ports.get(NAMES.size() + 1 + index),
                directory.resolve(name).toString(),
                hazelcastPorts().stream().map(String::valueOf).collect(Collectors.joining(","))));
  }

  private void kill(String name) {
    ChildJvm killed = running.remove(name);
    killed.kill();
    Await.until(name + " has ended", () -> !killed.isAlive());
  }

  private Future<JsonObject> ask(String member, JsonObject command) {
    return outside
        .vertx
        .eventBus()
        .<JsonObject>request(
            MoveProcess.control(member), command, new DeliveryOptions().setSendTimeout(15_000))
        .map(reply -> reply.body());
  }

  /** Asks again until it is answered: the first shard may have no primary for a moment. */
  private void command(String member, String what, String name) {
    Await.until(
        what + " " + name,
        DEADLINE_S,
        () -> {
          Future<JsonObject> done = ask(member, new JsonObject().put(what, name));
          Await.until("an answer", done::isComplete);
          return done.succeeded();
        });
  }

  private JsonObject status(String member) {
    Future<JsonObject> status = ask(member, new JsonObject());
    Await.until("the status of " + member, status::isComplete);
    return status.succeeded() ? status.result() : new JsonObject();
  }

  private int sum(String what) {
    return running.keySet().stream().mapToInt(member -> status(member).getInteger(what, 0)).sum();
  }

  private void awaitPlaced(String... members) {
    Await.until(
        () ->
            "all is placed: "
                + running.keySet().stream().map(name -> name + " " + status(name)).toList(),
        DEADLINE_S,
        () -> {
          Future<?> pause = outside.vertx.timer(100);
          Await.until("a moment", pause::isComplete);
          JsonObject first = status(members[0]);
          return first.getInteger("moves", -1) == 0
              && first.getJsonArray("members").getList().equals(List.of(members))
              && sum("replicas") == MoveProcess.SHARDS * MoveProcess.COPIES
              && sum("whole") == MoveProcess.SHARDS;
        });
  }

  private static void goesOn(CountingLoad load) {
    long before = load.answered();
    Await.until("requests are answered", () -> load.answered() > before + 10 * KEYS);
  }

  @Test
  void membersJoinLeaveAndAreKilledUnderLoadAndEachRequestIsAppliedOnce() {
    MoveProcess.FIRST.forEach(this::start);
    outside =
        new TestMember(
            "outside", ports.get(NAMES.size()), 0, hazelcastPorts(), directory.resolve("outside"));
    try {
      MoveProcess.FIRST.forEach(name -> running.get(name).await("serves"));
      awaitPlaced("a", "b", "c");
      CountingLoad load = CountingLoad.start(outside.vertx, "counter", KEYS);
      goesOn(load);

      start("d");
      running.get("d").await("serves 0");
      command("b", "add", "d");
      awaitPlaced("a", "b", "c", "d");
      assertThat(status("d").getInteger("replicas"))
          .isEqualTo(MoveProcess.SHARDS * MoveProcess.COPIES / 4);
      goesOn(load);

      // One leaves while another one joins, and a third one is killed meanwhile and comes back.
      start("e");
      running.get("e").await("serves 0");
      command("d", "add", "e");
      command("d", "remove", "a");
      Await.until("moves have begun", () -> status("e").getInteger("replicas", 0) > 0);
      kill("b");
      start("b");
      running.get("b").await("serves");
      awaitPlaced("b", "c", "d", "e");
      assertThat(status("a").getInteger("replicas")).isZero();
      running.remove("a").close();
      goesOn(load);

      // One is killed and does not come back: its shards get other members.
      kill("c");
      goesOn(load);
      command("d", "remove", "c");
      awaitPlaced("b", "d", "e");
      goesOn(load);

      // It comes back after all, with what it held.
      start("c");
      Await.until(
          () -> "c holds nothing: " + status("c"),
          DEADLINE_S,
          () -> status("c").getInteger("replicas", -1) == 0);
      Futures.result("all is answered and read", load.stop());
      assertThat(load.wrong()).isEmpty();
    } finally {
      outside.close();
      running.values().forEach(ChildJvm::close);
    }
  }
}
