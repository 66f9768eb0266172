package dev.weir.bench.cluster.documents;

import dev.weir.bench.cluster.member.BusNode;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.verify.Verdict;
import dev.weir.cluster.NodeOptions;
import dev.weir.state.BusHeaders;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A node of the event bus of a store that is no member of it. It works on the same documents with
 * each action in turn, and keeps what version each must have. One event loop sends and takes
 * replies.
 */
final class StoreClient implements Closeable {
  /**
   * Operations without an answer at any time: so few that no member ever has half of its 200
   * workers wait for one shard. Otherwise a shard that answers nothing for a second, as on a
   * machine that is busy with something else, would have operations refused, and a pause would be a
   * failure.
   */
  static final int IN_FLIGHT = 256;

  /** The factory that every {@code documents.jar} has. */
  private static final String ADDRESS = BusHeaders.addressOf("things");

  private final BusNode node;
  private final Vertx vertx;
  private final Context loop;
  private final long loopThread;
  private final SeedParameters parameters;
  private final String[] keys;

  /** The version that each document has; used on the loop. */
  private final long[] versions;

  private final Map<DocumentAction, long[]> busyNs = new EnumMap<>(DocumentAction.class);

  /**
   * Joins the members.
   *
   * @param directory for nothing but what a node may write
   */
  StoreClient(StoreProcesses store, Path directory, SeedParameters parameters, int documents)
      throws Exception {
    this.parameters = parameters;
    this.keys = new String[documents];
    this.versions = new long[documents];
    for (int i = 0; i < documents; i++) {
      keys[i] = "document-" + i;
    }
    List<String> join = store.join();
    node =
        new BusNode(
            new NodeOptions()
                .setMemberName("client")
                .setPort(store.clientPort())
                .setJoin(join)
                .setDirectory(directory),
            1);
    vertx = node.vertx();
    loop = vertx.getOrCreateContext();
    Promise<Long> thread = Promise.promise();
    loop.runOnContext(started -> thread.complete(Thread.currentThread().getId()));
    loopThread = BusNode.await(thread.future());
  }

  /**
   * Runs an action so many times, blocking the caller.
   *
   * @param operations a multiple of the number of documents; this number for what is no update
   */
  RoundResult round(DocumentAction action, long operations) throws InterruptedException {
    long cpuNs = cpuNs();
    Load load = Load.of(operations).idleTimeout(parameters.idleTimeout(Load.DEFAULT_IDLE_TIMEOUT));
    RoundResult result =
        new ClosedLoop(
                (operation, startNs, sink) -> send(action, operation, startNs, sink),
                load,
                ClosedLoop.inFlight(IN_FLIGHT, operations))
            .run(task -> loop.runOnContext(any -> task.run()));
    long[] busy = busyNs.computeIfAbsent(action, absent -> new long[2]);
    busy[0] += cpuNs() - cpuNs;
    busy[1] += result.elapsedNs();
    return result;
  }

  private long cpuNs() {
    return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(loopThread));
  }

  /** Forgets how busy the client was with an action. */
  void warm(DocumentAction action) {
    busyNs.remove(action);
  }

  /** How much of the time of an action the client's thread was at work, in percent. */
  double busyPercent(DocumentAction action) {
    long[] busy = busyNs.getOrDefault(action, new long[2]);
    return 100.0 * busy[0] / Math.max(1, busy[1]);
  }

  private void send(DocumentAction action, long operation, long startNs, ReplySink sink) {
    int document = (int) (operation % keys.length);
    DeliveryOptions options =
        new DeliveryOptions()
            .addHeader(BusHeaders.ACTION, action.header())
            .addHeader(BusHeaders.KEY, keys[document]);
    vertx
        .eventBus()
        .<JsonObject>request(ADDRESS, action.body(), options)
        .onComplete(
            reply -> sink.onReply(operation, startNs, check(action, document, reply)),
            failure -> sink.onFailure(operation, startNs, failure));
  }

  /**
   * Each update makes one version more, and their answers may overtake each other; what is deleted
   * must have as many as were answered.
   */
  private Reply check(DocumentAction action, int document, Message<JsonObject> reply) {
    long version = Long.parseLong(reply.headers().get(BusHeaders.VERSION));
    switch (action) {
      case POST -> versions[document] = version;
      case DELETE -> {
        if (version != versions[document]) {
          return Reply.CORRUPT;
        }
      }
      default -> versions[document]++;
    }
    // A deletion answers with what was there: what the last put has written.
    JsonObject expected = (action == DocumentAction.DELETE ? DocumentAction.PUT : action).json();
    return reply.body().equals(expected) ? Reply.OK : Reply.CORRUPT;
  }

  /** Whether the store has so many documents, blocking the caller. */
  Verdict counts(long expected) throws Exception {
    DeliveryOptions count = new DeliveryOptions().addHeader(BusHeaders.ACTION, "count");
    Message<JsonObject> reply = BusNode.await(vertx.eventBus().request(ADDRESS, null, count));
    long found = reply.body().getLong("count");
    return Verdict.ok()
        .unless(found == expected, "the store has " + found + " documents, not " + expected);
  }

  @Override
  public void close() throws IOException {
    node.close();
  }
}
