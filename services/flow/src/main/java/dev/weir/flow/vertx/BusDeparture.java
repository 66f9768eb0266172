package dev.weir.flow.vertx;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.RegistrationInfo;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the other nodes of a clustered bus to send to addresses of this node no more, while its
 * consumers still answer. {@link MessageConsumer#unregister} does it the other way round: it
 * removes the consumer first, and Vert.x drops without a reply what other nodes send until they
 * have heard. What the cluster knows of an address is read and removed by the cluster manager; with
 * a Vert.x or a cluster where that fails, nobody is told. Any thread; not blocking.
 */
public final class BusDeparture {
  private static final Logger LOG = LoggerFactory.getLogger(BusDeparture.class);

  /**
   * How long other nodes may need to hear of it. The event comes within some ms, and a node looks
   * at what has changed of an address once in 20 ms. The rest is for a node that has much to do.
   */
  private static final long HEARD_MS = 500;

  /** A cluster that does not answer holds up a close no longer. */
  private static final long LIMIT_MS = 2_000;

  private BusDeparture() {}

  /**
   * Takes this node out of those that serve some addresses, each if another node serves it too:
   * else senders would find nobody, while this one still drains. If all nodes do so at the same
   * moment, each that finds nobody left comes back, and serves on until it has drained; senders may
   * find nobody until then. The consumers stay, and are to be unregistered afterwards.
   *
   * @param context of the timers
   * @param consumers whose completion has succeeded
   * @param maxMs others get no more time to hear of it; nothing is done if it is 0
   * @return completes when others have had the time, at once if there is nobody to tell; never
   *     fails
   */
  public static Future<Void> announce(
      Context context, List<MessageConsumer<?>> consumers, long maxMs) {
    try {
      ClusterManager cluster = ((VertxInternal) context.owner()).clusterManager();
      return cluster == null || maxMs == 0
          ? Future.succeededFuture()
          : announce(cluster, context, consumers, Math.min(maxMs, HEARD_MS));
    } catch (RuntimeException | LinkageError e) {
      return nobodyTold(e).mapEmpty();
    }
  }

  static Future<Void> announce(
      ClusterManager cluster, Context context, List<MessageConsumer<?>> consumers, long heardMs) {
    List<Future<Boolean>> withdrawn =
        consumers.stream()
            .map(consumer -> withdraw(cluster, consumer).recover(BusDeparture::nobodyTold))
            .toList();
    Promise<Void> heard = Contexts.promise(context);
    long limit = Contexts.setTimer(context, LIMIT_MS, late -> heard.tryComplete());
    Future.join(withdrawn)
        .onComplete(
            done -> {
              if (withdrawn.stream().anyMatch(Future::result)) {
                Contexts.setTimer(context, heardMs, later -> heard.tryComplete());
              } else {
                heard.tryComplete();
              }
            });
    return heard.future().onComplete(done -> context.owner().cancelTimer(limit));
  }

  /** Whether other nodes are to hear that this one serves the address no more. */
  private static Future<Boolean> withdraw(ClusterManager cluster, MessageConsumer<?> consumer) {
    return registrations(cluster, consumer)
        .compose(
            all -> {
              List<RegistrationInfo> own =
                  all.stream().filter(one -> one.nodeId().equals(cluster.getNodeId())).toList();
              // Of two consumers here the other one goes on to serve. The only one is this one, if
              // it was still registered when the cluster was asked.
              if (own.size() != 1 || all.size() == 1 || !consumer.isRegistered()) {
                return Future.succeededFuture(false);
              }
              return remove(cluster, consumer, own.get(0))
                  .compose(
                      removed ->
                          registrations(cluster, consumer)
                              .compose(
                                  left ->
                                      left.isEmpty()
                                          ? restore(cluster, consumer, own.get(0))
                                          : Future.succeededFuture(true))
                              // It is withdrawn, whether or not the cluster says who is left.
                              .otherwise(true));
            });
  }

  /** All other nodes have withdrawn at the same moment: this one serves until it has drained. */
  private static Future<Boolean> restore(
      ClusterManager cluster, MessageConsumer<?> consumer, RegistrationInfo own) {
    Promise<Void> added = Promise.promise();
    cluster.addRegistration(consumer.address(), own, added);
    // If it was unregistered meanwhile, that may have come first.
    return added
        .future()
        .compose(
            restored ->
                consumer.isRegistered()
                    ? Future.<Void>succeededFuture()
                    : remove(cluster, consumer, own))
        .map(false);
  }

  /** Those of an address that other nodes see. */
  private static Future<List<RegistrationInfo>> registrations(
      ClusterManager cluster, MessageConsumer<?> consumer) {
    Promise<List<RegistrationInfo>> asked = Promise.promise();
    cluster.getRegistrations(consumer.address(), asked);
    return asked.future().map(known -> known.stream().filter(one -> !one.localOnly()).toList());
  }

  private static Future<Void> remove(
      ClusterManager cluster, MessageConsumer<?> consumer, RegistrationInfo own) {
    Promise<Void> removed = Promise.promise();
    cluster.removeRegistration(consumer.address(), own, removed);
    return removed.future();
  }

  private static Future<Boolean> nobodyTold(Throwable failure) {
    LOG.info("other nodes hear late that this one closes: {}", failure.toString());
    return Future.succeededFuture(false);
  }
}
