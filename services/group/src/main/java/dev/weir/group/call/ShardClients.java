package dev.weir.group.call;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.HostPort;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.group.layout.ShardLayout;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The clients by which a member reaches the shards of a service, and how many messages wait for the
 * reply of each. Any thread.
 */
public final class ShardClients {
  private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long CHECK_MS = 250;

  /** Something else limits what waits; 1,048,576 is the most that a client takes. */
  private static final int WINDOW = 1 << 20;

  private final Vertx vertx;
  private final ShardLayout layout;
  private final int mostForSilent;
  private final List<Shard> shards;

  /** Looks for shards that are silent; -1 for one shard, which has all workers. */
  private final long timer;

  private static final class Shard {
    private final ProcessorClient client;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Requests that wait; only where there are several shards. */
    private final Set<Promise<Buffer>> requests = ConcurrentHashMap.newKeySet();

    /** The last reply, or when the first of the messages that wait was sent. */
    private volatile long aliveNs;

    Shard(ProcessorClient client) {
      this.client = client;
    }

    Future<Buffer> send(Buffer message) {
      return count(client.send(message));
    }

    Future<Buffer> send(Buffer request, long timeoutMs) {
      Promise<Buffer> promise = Promise.promise();
      requests.add(promise);
      client
          .send(request, timeoutMs)
          .onComplete(
              done -> {
                requests.remove(promise);
                if (done.succeeded()) {
                  promise.tryComplete(done.result());
                } else {
                  promise.tryFail(done.cause());
                }
              });
      return count(promise.future());
    }

    private Future<Buffer> count(Future<Buffer> reply) {
      if (waiting.getAndIncrement() == 0) {
        aliveNs = System.nanoTime();
      }
      return reply.onComplete(
          done -> {
            if (done.succeeded()) {
              aliveNs = System.nanoTime();
            }
            waiting.decrementAndGet();
          });
    }

    boolean isSilent() {
      return System.nanoTime() - aliveNs > SILENT_NS;
    }

    /** Ends requests that wait, until no more messages wait than a silent shard may have. */
    void limit(int most) {
      for (Promise<Buffer> request : requests) {
        if (waiting.get() <= most || !isSilent()) {
          return;
        }
        requests.remove(request);
        request.tryFail("the shard has answered nothing for a second");
      }
    }
  }

  /**
   * @param node in the cluster of the members
   * @param workers how many messages may wait for all shards
   * @param maxMessageBytes of the groups
   * @param members those that hold a shard, asked at each attempt to connect
   */
  public ShardClients(
      Vertx vertx,
      ClusterNode node,
      ShardLayout layout,
      int workers,
      int maxMessageBytes,
      IntFunction<List<String>> members) {
    this.vertx = vertx;
    this.layout = layout;
    this.mostForSilent = Math.max(1, workers / 2);
    Map<String, Supplier<List<HostPort>>> groups = new LinkedHashMap<>();
    for (int shard = 0; shard < layout.shards(); shard++) {
      int each = shard;
      groups.put(layout.name(shard), () -> node.clientAddresses(members.apply(each)));
    }
    ProcessorClientOptions options =
        new ProcessorClientOptions()
            .setWindow(WINDOW)
            .setMaxMessageBytes(maxMessageBytes)
            .setTlsTrusted(node.options().getTlsTrusted())
            .setSecretFile(node.options().getSecretFile());
    this.shards =
        ProcessorClient.createAll(vertx, options, groups).values().stream()
            .map(Shard::new)
            .toList();
    this.timer =
        isSingle()
            ? -1
            : vertx.setPeriodic(
                CHECK_MS, id -> shards.forEach(shard -> shard.limit(mostForSilent)));
  }

  private boolean isSingle() {
    return layout.shards() == 1;
  }

  public ShardLayout layout() {
    return layout;
  }

  /**
   * Sends a message to the primary of a shard, as {@link ProcessorClient#send} does. A request to a
   * shard that answers nothing for a second fails then if more than half of the workers wait for
   * it; it may have been applied.
   *
   * @param timeoutMs 0 for no limit
   */
  public Future<Buffer> send(int shard, Buffer request, long timeoutMs) {
    Shard to = shards.get(shard);
    if (timeoutMs == 0) {
      return to.send(request);
    }
    return isSingle() ? to.client.send(request, timeoutMs) : to.send(request, timeoutMs);
  }

  /**
   * Whether half of the workers wait for a shard that has answered nothing for a second: with more
   * it would keep messages from the other shards.
   */
  public boolean isClogged(int shard) {
    Shard asked = shards.get(shard);
    return !isSingle() && asked.waiting.get() >= mostForSilent && asked.isSilent();
  }

  /** Closes the clients; what waits fails. */
  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.join(shards.stream().map(shard -> shard.client.close()).toList()).mapEmpty();
  }
}
