package dev.weir.group.call;

import dev.weir.cluster.ClusterMember;
import dev.weir.cluster.ClusterNode;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.wire.MemberEndpoint;
import dev.weir.group.wire.ShardNews;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Keeps the directory of a service up to date on one node, which may hold no shard. It takes in the
 * news that members publish, and asks members whose news do not arrive. Any thread.
 */
public final class NewsReceiver {
  /** A member publishes all that it knows first-hand so often, ms. */
  public static final long TELL_MS = 2_000;

  /** After so long without news of a member it is asked. */
  private static final long UNHEARD_NS = 3 * TimeUnit.MILLISECONDS.toNanos(TELL_MS);

  private static final long ANSWER_MS = 2_000;

  private final Vertx vertx;
  private final ShardDirectory directory;
  private final String self;
  private final Supplier<Set<String>> present;
  private final Consumer<ShardNews> listener;
  private final MemberEndpoint<JsonObject> members;
  private final MessageConsumer<JsonObject> consumer;

  /** Asks members whose news do not arrive; -1 before {@link #start}. */
  private volatile long timer = -1;

  /**
   * @param self name of this member; null for a node that is no member
   * @param present names of the members of the cluster at the moment
   * @param listener gets what members publish, after the directory has it
   */
  public NewsReceiver(
      Vertx vertx,
      ShardDirectory directory,
      String self,
      Supplier<Set<String>> present,
      Consumer<ShardNews> listener) {
    this.vertx = vertx;
    this.directory = directory;
    this.self = self;
    this.present = present;
    this.listener = listener;
    String service = directory.layout().address();
    this.members = new MemberEndpoint<>(vertx, ShardNews.ASKED_AT, service);
    this.consumer =
        vertx
            .eventBus()
            .consumer(
                ShardNews.PUBLISHED_AT + service,
                message -> {
                  ShardNews news = ShardNews.of(message.body());
                  learn(news);
                  this.listener.accept(news);
                });
  }

  /** Names of the members of the cluster of a node at the moment. */
  public static Set<String> present(ClusterNode node) {
    return node.members().stream()
        .filter(member -> !member.hasLeft() && member.name() != null)
        .map(ClusterMember::name)
        .collect(Collectors.toSet());
  }

  /**
   * Completes when news reach this node.
   *
   * @param asks whether to ask members whose news do not arrive: not where nobody answers, because
   *     shards do not move
   */
  public Future<Void> start(boolean asks) {
    if (asks) {
      timer = vertx.setPeriodic(TELL_MS, id -> askUnheard(System.nanoTime()));
    }
    return consumer.completion();
  }

  /** Takes in no more news. */
  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return consumer.unregister();
  }

  /** Asks the members of the cluster that serve the address; completes when each has answered. */
  public Future<Void> askAll() {
    return Future.join(
            present.get().stream().filter(member -> !member.equals(self)).map(this::ask).toList())
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  /**
   * When members join at the same time, one may not come to know that another listens to news, and
   * sends it none from then on.
   */
  private void askUnheard(long nowNs) {
    for (String member : present.get()) {
      if (!member.equals(self) && !directory.isHeard(member, UNHEARD_NS, nowNs)) {
        ask(member);
      }
    }
  }

  /** Fails at once if the member does not serve the address. */
  private Future<?> ask(String member) {
    JsonObject question = new JsonObject().put(ShardNews.DO, ShardNews.NEWS);
    return members
        .ask(member, question, new DeliveryOptions().setSendTimeout(ANSWER_MS))
        .map(reply -> ShardNews.of(reply.body()))
        .onSuccess(this::learn);
  }

  private void learn(ShardNews news) {
    directory.heard(news.member(), System.nanoTime());
    news.shards().forEach(directory::learn);
    if (news.planned() != null) {
      directory.plan(news.planned(), news.moves());
    }
  }
}
