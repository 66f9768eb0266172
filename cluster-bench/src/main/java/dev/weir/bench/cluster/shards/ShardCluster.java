package dev.weir.bench.cluster.shards;

import dev.weir.bench.Preheat;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.cluster.member.BusNode;
import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.LoopbackNetwork;
import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.program.ChildJvm;
import dev.weir.cluster.NodeOptions;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Members of a sharded service, each a {@link ShardMemberMain}, and this process as a node of the
 * event bus that is no member. Its calls block. For one thread.
 */
final class ShardCluster implements AutoCloseable {
  /** Names of the members with which the service begins. */
  static final List<String> FIRST = List.of("a", "b", "c");

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final long ANSWER_MS = 15_000;
  private static final long LOOK_MS = 50;

  private final ShardPlan plan;
  private final ProcessCluster processes;
  private final BusNode client;
  private final Set<String> running = new TreeSet<>();
  private long placedNs;

  /**
   * Starts the first members, and waits until each shard has all its copies in sync.
   *
   * @param names of all members that may be started
   * @param classPath of the first members; null for that of this JVM
   * @param directory for data and output of the members; emptied if it exists
   */
  ShardCluster(ShardPlan plan, List<String> names, String classPath, Path directory)
      throws Exception {
    this.plan = plan;
    this.processes =
        new ProcessCluster(
            new LoopbackNetwork(names),
            directory,
            new ProcessCluster.Plan(
                List.of(ShardMemberMain.SERVICE),
                "tcp",
                ShardPlan.MIN_IN_SYNC,
                null,
                ShardMemberMain.class,
                arguments()));
    boolean started = false;
    try {
      for (String name : FIRST) {
        if (classPath != null) {
          processes.member(name).useClassPath(classPath);
        }
        start(name);
      }
      awaitListening();
      client =
          new BusNode(
              new NodeOptions()
                  .setMemberName("client")
                  .setPort(Ports.free(1)[0])
                  .setJoin(processes.addresses().stream().map(MemberAddress::hazelcast).toList())
                  .setDirectory(directory.resolve("client")),
              1);
      started = true;
    } finally {
      if (!started) {
        processes.close();
      }
    }
  }

  /**
   * Waits until the first members take connections. A client that is there before them would begin
   * a cluster of its own, of which they do not know.
   */
  private void awaitListening() throws IOException, InterruptedException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    for (String name : FIRST) {
      while (!listens(processes.address(name))) {
        events().checkRunning();
        if (System.nanoTime() - endNs > 0) {
          throw new IOException(
              "member " + name + " takes no connections after " + PATIENCE.toSeconds() + " s");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
  }

  private static boolean listens(MemberAddress member) {
    try (Socket socket = new Socket(member.host(), member.port())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private List<String> arguments() {
    return List.of(
        argument(ShardMemberMain.FIRST, String.join(",", FIRST)),
        argument(ShardMemberMain.SHARDS, plan.shards()),
        argument(ShardMemberMain.COPIES, ShardPlan.COPIES),
        argument(ShardMemberMain.MOVE_PAUSE_MS, plan.movePauseMs()));
  }

  private static String argument(String name, Object value) {
    return "--" + name + "=" + value;
  }

  /** The event bus of this process. */
  Vertx vertx() {
    return client.vertx();
  }

  GroupEvents events() {
    return processes.events(ShardMemberMain.SERVICE);
  }

  private MemberProcess process(String name) {
    return processes.member(name);
  }

  /** Starts a member, which serves a moment later; a first one takes its replicas then. */
  void start(String name) throws IOException {
    process(name).start();
    running.add(name);
  }

  /** Stops a member as an operator does, and takes its later starts from the build of this JVM. */
  void stop(String name) throws IOException, InterruptedException {
    running.remove(name);
    process(name).stop();
    process(name).useClassPath(ChildJvm.ownClassPath());
  }

  /** Waits until a member takes commands. */
  void awaitServes(String name) throws IOException, InterruptedException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (status(name).isEmpty()) {
      checkTime("member " + name + " does not serve", endNs);
    }
  }

  /** Has a member do what an operator asks for, again until it is done. */
  void command(String member, String what, String name) throws IOException, InterruptedException {
    events().add(what + " " + name);
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (ask(member, new JsonObject().put(what, name)).isEmpty()) {
      checkTime(member + " does not " + what + " " + name, endNs);
    }
  }

  /** What a member knows; empty if it does not answer. */
  private JsonObject status(String member) throws InterruptedException {
    return ask(member, new JsonObject());
  }

  /** Replicas that each running member has. */
  Map<String, Integer> replicas() throws InterruptedException {
    return figures("replicas");
  }

  /** Steps of moves that the running members have made since they were started. */
  int steps() throws InterruptedException {
    return sum(figures("stepsDone").values());
  }

  /** How long the JIT compilers of this JVM and of the running members have worked. */
  long compiledMs() {
    try {
      return Preheat.compiledMs() + sum(figures(ShardMemberMain.COMPILED_MS).values());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private Map<String, Integer> figures(String name) throws InterruptedException {
    Map<String, Integer> figures = new LinkedHashMap<>();
    for (String member : running) {
      figures.put(member, status(member).getInteger(name, 0));
    }
    return figures;
  }

  private static int sum(Collection<Integer> figures) {
    return figures.stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Waits until every shard is where it is to be, with all its copies in sync. Each change of how
   * many replicas are left to move is an event.
   *
   * @param members over which the shards are spread, in the order of their names
   * @throws IOException if that takes too long, or if a member has ended by itself
   */
  void awaitPlaced(List<String> members) throws IOException, InterruptedException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    int left = 0;
    while (true) {
      JsonObject first = status(members.get(0));
      int moves = first.getInteger("moves", -1);
      if (moves >= 0 && moves != left) {
        events().add("moves left: " + moves);
        left = moves;
      }
      if (moves == 0 && isPlaced(first, members)) {
        placedNs = System.nanoTime();
        events().add("all placed");
        return;
      }
      checkTime("not all shards are placed on " + members, endNs);
    }
  }

  /** When the last {@link #awaitPlaced} saw that all is placed. */
  long placedNs() {
    return placedNs;
  }

  private boolean isPlaced(JsonObject first, List<String> members) throws InterruptedException {
    return first.getJsonArray("members").getList().equals(members)
        && sum(replicas().values()) == plan.shards() * ShardPlan.COPIES
        && sum(figures(ShardMemberMain.WHOLE).values()) == plan.shards();
  }

  private void checkTime(String problem, long endNs) throws IOException, InterruptedException {
    events().checkRunning();
    if (System.nanoTime() - endNs > 0) {
      List<String> known = new ArrayList<>();
      for (String member : running) {
        known.add(member + " " + status(member));
      }
      throw new IOException(problem + " after " + PATIENCE.toSeconds() + " s: " + known);
    }
    TimeUnit.MILLISECONDS.sleep(LOOK_MS);
  }

  private JsonObject ask(String member, JsonObject command) throws InterruptedException {
    try {
      return vertx()
          .eventBus()
          .<JsonObject>request(
              ShardMemberMain.control(member),
              command,
              new DeliveryOptions().setSendTimeout(ANSWER_MS))
          .map(reply -> reply.body())
          .toCompletionStage()
          .toCompletableFuture()
          .get();
    } catch (ExecutionException e) {
      // It has not started yet, or the first shard has no primary: the caller asks again.
      return new JsonObject();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      client.close();
    } finally {
      processes.close();
    }
  }
}
