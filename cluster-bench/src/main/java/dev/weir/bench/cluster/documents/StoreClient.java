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
import dev.weir.group.RemoteFactory;
import dev.weir.group.ReplicatedFactories;
import dev.weir.state.BusHeaders;
import dev.weir.state.Document;
import dev.weir.state.FactoryOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
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
  /** The way of an operation to the members. */
  enum Way {
    /** A message of the event bus to any of them, as any code of Vert.x sends it. */
    BUS("weir-bus"),
    /** A {@link RemoteFactory}, which sends to the primary of each shard. */
    FACTORY("weir-factory");

    private final String path;

    Way(String path) {
      this.path = path;
    }

    /** The path of a row. */
    String path() {
      return path;
    }
  }

  /** A document as an operation was answered. */
  private record Answer(long version, boolean isExpected) {}

  /**
   * Operations without an answer at any time: so few that no member ever has half of its 200
   * workers wait for one shard. Otherwise a shard that answers nothing for a second, as on a
   * machine that is busy with something else, would have operations refused, and a pause would be a
   * failure.
   */
  static final int IN_FLIGHT = 256;

  /** The factory that every {@code documents.jar} has. */
  private static final String FACTORY = "things";

  private static final String ADDRESS = BusHeaders.addressOf(FACTORY);
  private static final long IN_FLIGHT_BYTES = 64 << 20;

  private final BusNode node;
  private final Vertx vertx;
  private final Context loop;
  private final long loopThread;
  private final SeedParameters parameters;
  private final String[] keys;

  /** The version that each document has; used on the loop. */
  private final long[] versions;

  private final Map<Way, Map<DocumentAction, long[]>> busyNs = new EnumMap<>(Way.class);
  private final RemoteFactory factory;

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
    factory =
        ReplicatedFactories.connect(
            vertx,
            node.cluster(),
            FACTORY,
            new FactoryOptions(),
            store.shardOptions(),
            StoreProcesses.groupOptions(),
            IN_FLIGHT_BYTES);
  }

  /**
   * Runs an action so many times, blocking the caller.
   *
   * @param operations a multiple of the number of documents; this number for what is no update
   */
  RoundResult round(Way way, DocumentAction action, long operations) throws InterruptedException {
    long cpuNs = cpuNs();
    Load load = Load.of(operations).idleTimeout(parameters.idleTimeout(Load.DEFAULT_IDLE_TIMEOUT));
    RoundResult result =
        new ClosedLoop(
                (operation, startNs, sink) -> send(way, action, operation, startNs, sink),
                load,
                ClosedLoop.inFlight(IN_FLIGHT, operations))
            .run(task -> loop.runOnContext(any -> task.run()));
    long[] busy = busy(way).computeIfAbsent(action, absent -> new long[2]);
    busy[0] += cpuNs() - cpuNs;
    busy[1] += result.elapsedNs();
    return result;
  }

  private Map<DocumentAction, long[]> busy(Way way) {
    return busyNs.computeIfAbsent(way, absent -> new EnumMap<>(DocumentAction.class));
  }

  private long cpuNs() {
    return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(loopThread));
  }

  /** Forgets how busy the client was with an action. */
  void warm(Way way, DocumentAction action) {
    busy(way).remove(action);
  }

  /** How much of the time of an action the client's thread was at work, in percent. */
  double busyPercent(Way way, DocumentAction action) {
    long[] busy = busy(way).getOrDefault(action, new long[2]);
    return 100.0 * busy[0] / Math.max(1, busy[1]);
  }

  private void send(Way way, DocumentAction action, long operation, long startNs, ReplySink sink) {
    int document = (int) (operation % keys.length);
    Future<Answer> answer =
        way == Way.BUS ? byMessage(action, keys[document]) : byFactory(action, keys[document]);
    answer.onComplete(
        given -> sink.onReply(operation, startNs, check(action, document, given)),
        failure -> sink.onFailure(operation, startNs, failure));
  }

  private Future<Answer> byMessage(DocumentAction action, String key) {
    DeliveryOptions options =
        new DeliveryOptions()
            .addHeader(BusHeaders.ACTION, action.header())
            .addHeader(BusHeaders.KEY, key);
    return vertx
        .eventBus()
        .<JsonObject>request(ADDRESS, action.body(), options)
        .map(
            reply ->
                new Answer(
                    Long.parseLong(reply.headers().get(BusHeaders.VERSION)),
                    reply.body().equals(action.after().json())));
  }

  private Future<Answer> byFactory(DocumentAction action, String key) {
    Future<Document> answer =
        switch (action) {
          case POST -> factory.create(key, action.json());
          case PATCH -> factory.merge(key, action.json());
          case PUT -> factory.put(key, action.json());
          case DELETE -> factory.delete(key);
        };
    return answer.map(
        given -> new Answer(given.version(), given.json().equals(action.after().json())));
  }

  /**
   * Each update makes one version more, and their answers may overtake each other; what is deleted
   * must have as many as were answered.
   */
  private Reply check(DocumentAction action, int document, Answer answer) {
    switch (action) {
      case POST -> versions[document] = answer.version();
      case DELETE -> {
        if (answer.version() != versions[document]) {
          return Reply.CORRUPT;
        }
      }
      default -> versions[document]++;
    }
    return answer.isExpected() ? Reply.OK : Reply.CORRUPT;
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
    factory.close();
    node.close();
  }
}
