package dev.weir.bench.cluster.shards;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.Directories;
import dev.weir.bench.report.Row;
import dev.weir.flow.ServiceMessage;
import dev.weir.group.ShardOptions;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Measures a sharded service from the event bus of a process that is no member. */
public final class BusScenario implements Scenario {
  static final String NAME = "bus";

  /** Setting: numbers of shards, separated by commas. */
  static final String SHARDS = "bus.shards";

  private static final int IN_FLIGHT = 512;
  private static final int KEYS = 5_000;
  private static final int PAYLOAD_BYTES = 256;
  private static final long TIMEOUT_MS = 20_000;
  private static final int PREHEAT_PASSES = 100;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "A sharded service on three members, each a process: "
            + ShardPlan.COPIES
            + " copies of each shard, a message is answered when "
            + ShardPlan.MIN_IN_SYNC
            + " members have written it to the operating system. A client on the clustered event"
            + " bus, which is no member and has one event loop, keeps "
            + IN_FLIGHT
            + " requests of "
            + PAYLOAD_BYTES
            + " bytes to "
            + KEYS
            + " keys without a reply. bus: the same requests to a plain consumer of Vert.x on each"
            + " of the three members. xFloor: over that, round by round. x16: over the median of"
            + " 16 shards. Two of three requests reach a member that is not the primary of their"
            + " shard, and it sends them on.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Integer> allowed = IntStream.rangeClosed(1, ShardOptions.MAX_SHARDS).boxed().toList();
    double of16 = Double.NaN;
    for (String shards : context.options(SHARDS, "16,256", allowed)) {
      List<Measurement> measured = measure(context, Integer.parseInt(shards));
      double perSec = measured.get(1).opsPerSec().median();
      if (shards.equals("16")) {
        of16 = perSec;
      }
      Row floor = row(context, measured.get(0), shards).path("bus").flush("none");
      context.report(floor);
      Row row = row(context, measured.get(1), shards).path("group").flush("os");
      row.over(floor, "xFloor");
      context.report(Double.isNaN(of16) ? row : row.column("x16", perSec / of16));
    }
  }

  private static List<Measurement> measure(RunContext context, int shards) throws Exception {
    ShardPlan plan =
        new ShardPlan(
            1, 1, shards, KEYS, PAYLOAD_BYTES, ShardOptions.DEFAULT_MOVE_PAUSE_MS, KEYS, 0);
    Path directory = context.outputDir().resolve("data-" + NAME);
    long count = context.scaled(20_000, 40_000);
    List<Measurement> measured;
    try (ShardCluster cluster = new ShardCluster(plan, ShardCluster.FIRST, null, directory)) {
      cluster.awaitPlaced(ShardCluster.FIRST);
      Requests plain = new Requests(cluster.vertx(), ShardMemberMain.PLAIN);
      Requests group = new Requests(cluster.vertx(), ShardMemberMain.SERVICE);
      context.preheat(
          PREHEAT_PASSES,
          cluster::compiledMs,
          () -> {
            plain.run(count);
            group.run(count);
          });
      measured =
          context
              .ownRounds()
              .add(() -> plain.run(count))
              .add(() -> group.run(count))
              .measure(NAME + " " + shards);
    }
    Directories.delete(directory);
    return measured;
  }

  private static Row row(RunContext context, Measurement measured, String shards) {
    return context
        .row(measured)
        .caseName(shards + " shards")
        .payloadBytes(PAYLOAD_BYTES)
        .inFlight(ClosedLoop.inFlight(IN_FLIGHT, measured.operations()))
        .extra("client", "outside")
        .extra("copies", ShardPlan.COPIES)
        .extra("minInSync", ShardPlan.MIN_IN_SYNC)
        .extra("keys", KEYS)
        .extra("processes", 1 + ShardCluster.FIRST.size())
        .extra("childFlags", MemberProcess.flags());
  }

  /** Requests to one address, from one event loop. */
  private static final class Requests implements Target {
    private final Vertx vertx;
    private final Context loop;
    private final String address;
    private final Buffer padding = Buffer.buffer(new byte[PAYLOAD_BYTES - Long.BYTES]);
    private final List<DeliveryOptions> keys =
        IntStream.range(0, KEYS).mapToObj(Requests::options).toList();

    Requests(Vertx vertx, String address) {
      this.vertx = vertx;
      this.loop = vertx.getOrCreateContext();
      this.address = address;
    }

    private static DeliveryOptions options(int key) {
      return new DeliveryOptions()
          .setSendTimeout(TIMEOUT_MS)
          .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS)
          .addHeader(ServiceMessage.KEY, "key " + key);
    }

    RoundResult run(long count) throws InterruptedException {
      return new ClosedLoop(this, Load.of(count), IN_FLIGHT)
          .run(task -> loop.runOnContext(turn -> task.run()));
    }

    @Override
    public void send(long operation, long startTimeNs, ReplySink sink) {
      Buffer body = Buffer.buffer(PAYLOAD_BYTES).appendLong(operation).appendBuffer(padding);
      vertx
          .eventBus()
          .<Buffer>request(address, body, keys.get((int) (operation % KEYS)))
          .map(Message::body)
          .onSuccess(reply -> sink.onReply(operation, startTimeNs, check(reply, operation)))
          .onFailure(failure -> sink.onFailure(operation, startTimeNs, failure));
    }

    private static Reply check(Buffer reply, long operation) {
      return reply.length() == KeyCounter.REPLY_BYTES && reply.getLong(Long.BYTES) == operation
          ? Reply.OK
          : Reply.CORRUPT;
    }
  }
}
