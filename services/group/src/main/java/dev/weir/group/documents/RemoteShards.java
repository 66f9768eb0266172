package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.CLOSED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.vertx.Contexts;
import dev.weir.group.call.GroupCalls;
import dev.weir.group.call.GroupReads;
import dev.weir.group.call.NewsReceiver;
import dev.weir.group.call.ShardClients;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.trace.GroupTracing;
import dev.weir.options.ByteBudget;
import dev.weir.state.DocumentException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Stream;

/**
 * The shards of a factory, as a node reaches them that holds none. The node learns from the members
 * who holds a shard, also while shards move. The client of each shard writes all requests at once
 * that have come since its last turn. Any thread.
 */
public final class RemoteShards implements ReplicatedCalls.Shards {
  /** What a request takes beside its bytes: promises, headers, its place in the window. */
  private static final int REQUEST_BYTES = 1 << 10;

  /** A question of a query is an object, not bytes; few are under way. */
  private static final int QUESTION_BYTES = 4 << 10;

  private final ShardLayout layout;
  private final NewsReceiver news;
  private final ShardClients clients;
  private final GroupCalls calls;
  private final ByteBudget budget;

  /** What requests to each shard may take, so that a silent one leaves room for the others. */
  private final List<ByteBudget> parts;

  private volatile boolean closed;

  /**
   * @param node in the cluster of the members
   * @param maxMessageBytes of the groups
   * @param inFlightBytes heap for requests without a reply, estimated
   */
  public RemoteShards(
      Vertx vertx, ClusterNode node, ShardLayout layout, int maxMessageBytes, long inFlightBytes) {
    this.layout = layout;
    this.budget = new ByteBudget(inFlightBytes);
    long each = layout.shards() == 1 ? inFlightBytes : Math.max(1, inFlightBytes / 2);
    this.parts = Stream.generate(() -> budget.part(each)).limit(layout.shards()).toList();
    ShardDirectory directory = new ShardDirectory(layout);
    // The bytes are the limit here, so a silent shard never has too many of the workers.
    this.clients =
        new ShardClients(
            vertx, node, layout, Integer.MAX_VALUE, maxMessageBytes, directory::members);
    this.calls =
        new GroupCalls(
            clients,
            GroupReads.outside(vertx, directory),
            maxMessageBytes,
            false,
            GroupTracing.of(vertx));
    // Last, because it has a consumer and a timer until it is closed.
    this.news =
        new NewsReceiver(vertx, directory, null, () -> NewsReceiver.present(node), published -> {});
    // Until an answer is here, the members are those of the layout.
    news.start(true);
    news.askAll();
  }

  @Override
  public Future<Buffer> ask(String key, Object request, boolean isRead) {
    if (closed) {
      return Future.failedFuture(new DocumentException(CLOSED, "the factory is closed"));
    }
    long bytes =
        REQUEST_BYTES
            + 2L * key.length()
            + (request instanceof Buffer encoded ? encoded.length() : QUESTION_BYTES);
    ByteBudget part = parts.get(layout.shardOf(key));
    if (bytes > part.limitBytes()) {
      return Future.failedFuture(
          new DocumentException(
              TOO_LARGE,
              "the operation takes "
                  + bytes
                  + " bytes, and a shard may have "
                  + part.limitBytes()
                  + " of inFlightBytes, which is "
                  + budget.limitBytes()));
    }
    if (!part.tryTake(bytes)) {
      return Future.failedFuture(
          new DocumentException(
              BUSY,
              "operations of "
                  + budget.usedBytes()
                  + " bytes wait for replies, inFlightBytes is "
                  + budget.limitBytes()
                  + ", of which a shard has "
                  + part.limitBytes()));
    }
    Future<?> reply = calls.send(null, key, request, isRead ? 0L : null, RemoteCalls.TIMEOUT_MS);
    return told(reply.onComplete(done -> part.give(bytes))).map(Buffer.class::cast);
  }

  /** Completes on the event loop of the caller, if it has one. */
  private static <T> Future<T> told(Future<T> reply) {
    Context own = Contexts.current();
    if (own == null) {
      return reply;
    }
    Promise<T> promise = Contexts.promise(own);
    reply.onComplete(promise);
    return promise.future();
  }

  Future<Void> close() {
    closed = true;
    return news.close().eventually(clients::close);
  }
}
