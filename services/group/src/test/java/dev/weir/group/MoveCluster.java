package dev.weir.group;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Members of a service whose shards move, each a process, and a node outside. */
final class MoveCluster implements AutoCloseable {
  static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
  static final long DEADLINE_S = 180;

  private final List<Integer> ports = FreePorts.find(2 * NAMES.size() + 1);
  private final Map<String, ChildJvm> running = new TreeMap<>();
  private final Path directory;
  private final Class<?> program;
  private final int shards;
  private final TestMember outside;

  /**
   * Starts the first members; completes when they serve.
   *
   * @param directory has a directory for each member
   * @param program of a member: a {@link MoveProcess}, or one whose shards have as many members
   * @param shards that it serves
   */
  MoveCluster(Path directory, Class<?> program, int shards) {
    this.directory = directory;
    this.program = program;
    this.shards = shards;
    MoveProcess.FIRST.forEach(this::start);
    try {
      outside =
          new TestMember(
              TestMember.PATIENT,
              "outside",
              ports.get(NAMES.size()),
              0,
              hazelcastPorts(),
              directory.resolve("outside"));
      MoveProcess.FIRST.forEach(this::awaitServes);
    } catch (RuntimeException | Error e) {
      running.values().forEach(ChildJvm::close);
      throw e;
    }
  }

  TestMember outside() {
    return outside;
  }

  Map<String, ChildJvm> running() {
    return running;
  }

  void awaitServes(String name) {
    ChildJvm member = running.get(name);
    Await.until(
        () -> name + " serves: " + member.lines(), DEADLINE_S, () -> member.hasSaid("serves"));
  }

  private List<Integer> hazelcastPorts() {
    return ports.subList(0, NAMES.size() + 1);
  }

  void start(String name) {
    int index = NAMES.indexOf(name);
    running.put(
        name,
        ChildJvm.of(program)
            .flags("-Xmx256m")
            .mergeErrors()
            .start(
                name,
                "" + ports.get(index),
                "" + ports.get(NAMES.size() + 1 + index),
                directory.resolve(name).toString(),
                hazelcastPorts().stream().map(String::valueOf).collect(Collectors.joining(","))));
  }

  void kill(String name) {
    ChildJvm killed = running.remove(name);
    killed.kill();
    Await.until(name + " has ended", () -> !killed.isAlive());
  }

  Future<JsonObject> ask(String member, JsonObject command) {
    return outside
        .vertx
        .eventBus()
        .<JsonObject>request(
            MoveProcess.control(member), command, new DeliveryOptions().setSendTimeout(15_000))
        .map(reply -> reply.body());
  }

  /** Asks again until it is answered: the first shard may have no primary for a moment. */
  void command(String member, String what, String name) {
    Await.until(
        what + " " + name,
        DEADLINE_S,
        () -> {
          Future<JsonObject> done = ask(member, new JsonObject().put(what, name));
          Await.until("an answer", done::isComplete);
          return done.succeeded();
        });
  }

  JsonObject status(String member) {
    Future<JsonObject> status = ask(member, new JsonObject());
    Await.until("the status of " + member, status::isComplete);
    return status.succeeded() ? status.result() : new JsonObject();
  }

  private int sum(String what) {
    return running.keySet().stream().mapToInt(member -> status(member).getInteger(what, 0)).sum();
  }

  void awaitPlaced(String... members) {
    Await.until(
        () ->
            "all is placed: "
                + running.keySet().stream()
                    .map(name -> name + " " + status(name) + running.get(name).lines())
                    .toList(),
        DEADLINE_S,
        () -> {
          Future<?> pause = outside.vertx.timer(100);
          Await.until("a moment", pause::isComplete);
          JsonObject first = status(members[0]);
          return first.getInteger("moves", -1) == 0
              && first.getJsonArray("members").getList().equals(List.of(members))
              && sum("replicas") == shards * MoveProcess.COPIES
              && sum("whole") == shards;
        });
  }

  @Override
  public void close() {
    try {
      outside.close();
    } finally {
      running.values().forEach(ChildJvm::close);
    }
  }
}
