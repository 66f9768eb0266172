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
  /** Longer than a failover, and than a cold JVM on a busy machine takes for its first replies. */
  private static final long SILENT_MS = 5_000;

  private static final long CHECK_MS = 250;

  /** Something else limits what waits; 1,048,576 is the most that a client takes. */
  private static final int WINDOW = 1 << 20;

  private final Vertx vertx;
  private final ShardLayout layout;
  private final int mostForSilent;
  private final List<Shard> shards;

  /** Looks for shards that are silent; -1 for one shard, which has all workers. */
  private final long timer;

  /** When the shards were checked last; only the timer's thread. */
  private long checkedNs = System.nanoTime();

  private static final class Shard {
    private final ProcessorClient client;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Requests that wait; only where there are several shards. */
    private final Set<Promise<Buffer>> requests = ConcurrentHashMap.newKeySet();

    /** Whether a reply came, or nothing waited, since the last {@link #check}. */
    private volatile boolean alive;

    /** How many checks in a row found the shard not alive. */
    private volatile int silentChecks;

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
        alive = true;
      }
      return reply.onComplete(
          done -> {
            if (done.succeeded()) {
              alive = true;
            }
            waiting.decrementAndGet();
          });
    }

    boolean isSilent() {
      return silentChecks * CHECK_MS >= SILENT_MS && !alive;
    }

    /**
     * Ends requests to a silent shard, until no more messages wait than one may have.
     *
     * @param most how many may wait for a silent shard
     */
    void check(int most) {
      if (alive) {
        alive = false;
        silentChecks = 0;
        return;
      }
      if (waiting.get() > 0) {
        silentChecks++;
      }
      for (Promise<Buffer> request : requests) {
        if (waiting.get() <= most || !isSilent()) {
          return;
        }
        requests.remove(request);
        request.tryFail("the shard has answered nothing for " + SILENT_MS + " ms");
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
    this.timer = isSingle() ? -1 : vertx.setPeriodic(CHECK_MS, id -> check());
  }

  /**
   * Only while this JVM runs does a shard count as silent: after a pause, timers fire in a burst.
   */
  private void check() {
    long nowNs = System.nanoTime();
    if (nowNs - checkedNs > TimeUnit.MILLISECONDS.toNanos(CHECK_MS) / 2) {
      checkedNs = nowNs;
      shards.forEach(shard -> shard.check(mostForSilent));
    }
  }

  private boolean isSingle() {
    return layout.shards() == 1;
  }

  public ShardLayout layout() {
    return layout;
  }

  /**
   * Sends a message to the primary of a shard, as {@link ProcessorClient#send} does. A request to a
   * shard that answers nothing for 5 seconds fails then if more than half of the workers wait for
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
   * Whether half of the workers wait for a shard that has answered nothing for 5 seconds: with more
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
