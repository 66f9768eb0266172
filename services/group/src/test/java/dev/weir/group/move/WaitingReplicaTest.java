package dev.weir.group.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.group.ShardOptions;
import dev.weir.group.call.GroupReads;
import dev.weir.group.call.LocalReplica;
import dev.weir.group.call.ReadThreads;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.ShardPlan;
import dev.weir.group.placement.ShardStatus;
import dev.weir.group.wire.MemberEndpoint;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member with a replica that waits for a primary, which is on no member that runs. */
@Tag("slow")
@Timeout(120)
class WaitingReplicaTest {
  private static final String SERVICE = "orders";

  @TempDir private static Path directory;
  private static ClusterNode node;
  private static ProcessorGroup group;

  private final Vertx vertx = Vertx.vertx();
  private final WorkerExecutor workers = vertx.createSharedWorkerExecutor("movers", 1);
  private final ShardLayout layout =
      ShardLayout.of(
          SERVICE, new ShardOptions().setMembers(List.of("a", "b")).setShards(1).setCopies(2));
  private final ShardDirectory known = new ShardDirectory(layout);
  private final Shards shards = new Shards();

  @BeforeAll
  static void start() {
    List<Integer> ports = FreePorts.find(1);
    node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName("a")
                .setPort(ports.get(0))
                .setJoin(List.of("127.0.0.1:" + ports.get(0)))
                .setDirectory(directory));
    group =
        node.group(new GroupOptions().setName(SERVICE).setMembers(List.of("a", "b")))
            .processor((message, state, out) -> out.commit(0))
            .replies((client, sequence, buffer, offset, length) -> {})
            .start();
  }

  @AfterAll
  static void end() {
    node.close();
  }

  @AfterEach
  void close() {
    Futures.result("closed", vertx.close());
  }

  /** The shards of this member, which can do nothing but start and end. */
  private static final class Shards implements LocalShards {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean runs = true;

    @Override
    public Set<Integer> shards() {
      return runs ? Set.of(0) : Set.of();
    }

    @Override
    public ProcessorGroup group(int shard) {
      return runs ? group : null;
    }

    @Override
    public void start(int shard, ShardPlaces places) {
      calls.add("start");
      runs = true;
    }

    @Override
    public void stop(int shard) {
      calls.add("stop");
      runs = false;
    }

    @Override
    public void restart(int shard) {
      calls.add("restart");
      runs = true;
    }

    @Override
    public void delete(int shard) {
      calls.add("delete");
      runs = false;
    }

    @Override
    public Future<ShardPlan> plan() {
      return Future.failedFuture("no plan");
    }

    @Override
    public Future<Void> confirmPrimary(int shard) {
      return Future.failedFuture("no primary");
    }
  }

  private ShardMover stray(Runnable atSecondQuestion) {
    known.learn(new ShardStatus(0, 1_000, 1, "b", List.of("b", "c"), List.of("b", "c")));
    AtomicInteger questions = new AtomicInteger();
    new MemberEndpoint<JsonObject>(
        vertx,
        "weir.group.moves.",
        SERVICE,
        "b",
        question -> {
          if (questions.incrementAndGet() == 2) {
            atSecondQuestion.run();
          }
          question.reply(new JsonObject().put("isMember", false));
        });
    return new ShardMover(vertx, known, "a", shards, workers);
  }

  @Test
  void aReplicaThatHasMovedAwayIsDeleted() {
    Futures.result("deleted", stray(() -> {}).deleteIfStray(0));
    assertThat(shards.calls).containsExactly("stop", "delete");
  }

  @Test
  void aReplicaThatJoinsAgainWhileItIsAskedAboutIsNotDeleted() {
    Futures.result(
        "looked at", stray(() -> shards.start(0, ShardPlaces.of(List.of()))).deleteIfStray(0));
    assertThat(shards.calls).containsExactly("stop", "start");
  }

  @Test
  void aMemberSaysThatItIsThereWhileAReplicaTakesLongToStart() {
    List<JsonObject> heard = new CopyOnWriteArrayList<>();
    vertx
        .eventBus()
        .<JsonObject>consumer("weir.group.news." + SERVICE, news -> heard.add(news.body()));
    ShardKeeper keeper =
        new ShardKeeper(vertx, known, "a", shards, workers, null, Set::of, member -> null);
    CountDownLatch started = new CountDownLatch(1);
    workers.executeBlocking(
        () -> {
          started.await();
          return null;
        },
        false);
    Futures.result("it looks", keeper.start());
    Await.until("it says more than at its start", () -> heard.size() >= 2);
    started.countDown();
    Futures.result("closed", keeper.close());
  }

  @Test
  void aReadEndsInTimeThoughOneThatMayTakeLongerAskedBefore() {
    LocalReplica replica = new LocalReplica(group, (request, state) -> Buffer.buffer());
    GroupReads reads = new GroupReads(vertx, known, "a", shard -> replica, new ReadThreads(vertx));
    List<Future<GroupReads.Answer>> all = new ArrayList<>();
    all.add(reads.read(0, Buffer.buffer(), 1_000, 60_000));
    all.add(reads.read(0, Buffer.buffer(), 1_000, 300));
    Futures.failure("nobody can read", all.get(1));
    assertThat(all.get(0).isComplete()).as("the one that may take a minute").isFalse();
  }
}
