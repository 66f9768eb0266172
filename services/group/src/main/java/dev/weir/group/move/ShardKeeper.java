package dev.weir.group.move;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.flow.vertx.Contexts;
import dev.weir.group.MoveStats;
import dev.weir.group.call.NewsReceiver;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.ShardStatus;
import dev.weir.group.wire.ShardNews;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the replicas of a service on this member. It tells all members who holds the shards
 * of which this one is primary, and takes in what others tell. It deletes replicas that have moved
 * away, and has members that lack their replica start one.
 *
 * <p>Any thread; it looks on the thread on which replicas start and end.
 */
public final class ShardKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(ShardKeeper.class);
  private static final long LOOK_MS = 250;

  /** All that this member knows first-hand is told so often. */
  private static final long TELL_NS = TimeUnit.MILLISECONDS.toNanos(NewsReceiver.TELL_MS);

  /** A replica that has no primary for so long asks whether it still belongs to its shard. */
  private static final long STRAY_NS = TimeUnit.SECONDS.toNanos(3);

  /** Pause between two requests for the same replica. */
  private static final long ASK_NS = TimeUnit.SECONDS.toNanos(3);

  private final Vertx vertx;
  private final ShardDirectory directory;
  private final String self;
  private final LocalShards local;
  private final WorkerExecutor workers;

  /** Null if replicas do not move. */
  private final ShardMover mover;

  /** Null if replicas do not move. */
  private final MoveCoordinator coordinator;

  private final NewsReceiver news;
  private final AtomicBoolean looking = new AtomicBoolean();

  /** Whether another member wants to hear everything. */
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /** By shard of which this member is primary: what it has told. */
  private final Map<Integer, ShardStatus> told = new HashMap<>();

  /** By shard: since when the replica here has no primary, or when it asked because of that, ns. */
  private final Map<Integer, Long> waitsSinceNs = new HashMap<>();

  /** By shard: when another member was asked to run its replica, ns. */
  private final Map<Integer, Long> askedNs = new HashMap<>();

  /** By shard: the last failure, so that it is logged once. */
  private final Map<Integer, String> failures = new HashMap<>();

  private long version;
  private volatile long toldNs = System.nanoTime() - TELL_NS;
  private volatile long timer = -1;
  private volatile boolean closed;

  /** When this member said last that it is there without more, ns. By the timer. */
  private long aliveNs = toldNs;

  /**
   * @param self name of this member
   * @param workers one thread
   * @param limits of moves; null if replicas do not move
   * @param present names of the members of the cluster at the moment
   * @param remove takes a member out of the plan
   */
  public ShardKeeper(
      Vertx vertx,
      ShardDirectory directory,
      String self,
      LocalShards local,
      WorkerExecutor workers,
      MoveLimits limits,
      Supplier<Set<String>> present,
      Function<String, Future<?>> remove) {
    this.vertx = vertx;
    this.directory = directory;
    this.self = self;
    this.local = local;
    this.workers = workers;
    this.mover = limits == null ? null : new ShardMover(vertx, directory, self, local, workers);
    this.coordinator =
        limits == null
            ? null
            : new MoveCoordinator(directory, mover, local, limits, present, remove);
    this.news = new NewsReceiver(vertx, directory, self, present, this::heard);
  }

  /** Asks the members of the cluster that serve this address who holds the shards. */
  public Future<Void> askAll() {
    return news.askAll();
  }

  /** Begins to look; completes when other members reach this one. */
  public Future<Void> start() {
    return news.start(mover != null)
        .compose(v -> mover == null ? Future.<Void>succeededFuture() : mover.listening())
        .onSuccess(
            v -> {
              tell(true, List.of());
              timer = vertx.setPeriodic(LOOK_MS, id -> look());
            });
  }

  /** Ends looking. A look under way may go on for a moment. */
  public Future<Void> close() {
    closed = true;
    vertx.cancelTimer(timer);
    return news.close()
        .eventually(() -> mover == null ? Future.<Void>succeededFuture() : mover.close());
  }

  /** Name of this member. */
  public String self() {
    return self;
  }

  /** How moves get on, as this member knows it. */
  public MoveStats stats() {
    return coordinator == null
        ? new MoveStats(directory.moves(), 0, 0, List.of())
        : coordinator.stats();
  }

  private void heard(ShardNews told) {
    if (told.asks() && !told.member().equals(self)) {
      isAsked.set(true);
    }
  }

  private void tell(boolean asks, Collection<ShardStatus> shards) {
    boolean moves = told.containsKey(0) && mover != null;
    publish(
        new ShardNews(
            self,
            asks,
            List.copyOf(shards),
            moves ? directory.planned() : null,
            moves ? directory.moves() : -1));
  }

  private void look() {
    if (closed) {
      return;
    }
    if (looking.getAndSet(true)) {
      sayAlive(System.nanoTime());
      return;
    }
    Contexts.executeBlocking(
            workers,
            () -> {
              lookAtAll();
              return null;
            },
            false)
        .onComplete(
            done -> {
              looking.set(false);
              if (done.cause() instanceof RejectedExecutionException) {
                // Vert.x closes, and has ended the threads.
                vertx.cancelTimer(timer);
              } else if (done.failed() && !closed) {
                LOG.warn(
                    "cannot look after shards of {}", directory.layout().address(), done.cause());
              }
            });
  }

  /** A replica that takes long to start or to end must not make this member count as away. */
  private void sayAlive(long nowNs) {
    if (nowNs - toldNs >= TELL_NS && nowNs - aliveNs >= TELL_NS) {
      aliveNs = nowNs;
      publish(new ShardNews(self, false, List.of(), null, -1));
    }
  }

  private void publish(ShardNews told) {
    vertx.eventBus().publish(ShardNews.PUBLISHED_AT + directory.layout().address(), told.toJson());
  }

  private void lookAtAll() {
    List<ShardStatus> changed = new ArrayList<>();
    long nowNs = System.nanoTime();
    for (int shard : local.shards()) {
      ProcessorGroup group = local.group(shard);
      if (group != null && !closed) {
        try {
          look(shard, group, changed, nowNs);
          failures.remove(shard);
        } catch (RuntimeException e) {
          // Such as a log that cannot be deleted: the other shards must not wait for this one.
          if (!String.valueOf(e).equals(failures.put(shard, String.valueOf(e)))) {
            LOG.warn("cannot look after {}", directory.layout().name(shard), e);
          }
        }
      }
    }
    told.keySet().retainAll(local.shards());
    if (isAsked.getAndSet(false) || nowNs - toldNs >= TELL_NS) {
      toldNs = nowNs;
      tell(false, told.values());
    } else if (!changed.isEmpty()) {
      tell(false, changed);
    }
    if (coordinator != null && !closed) {
      if (told.containsKey(0)) {
        coordinator.look();
      } else {
        coordinator.rest();
      }
    }
  }

  private void look(int shard, ProcessorGroup group, List<ShardStatus> changed, long nowNs) {
    GroupStats stats = group.stats();
    ShardPlaces places = ShardMover.places(group);
    if (stats.role() == Role.PRIMARY) {
      waitsSinceNs.remove(shard);
      lead(shard, group, places, changed, nowNs);
      return;
    }
    told.remove(shard);
    if (mover == null) {
      return;
    }
    if (!places.members().contains(self) || hasOtherPart(group, places)) {
      LOG.info("{} does not hold shard {} any more", self, directory.layout().name(shard));
      waitsSinceNs.remove(shard);
      local.delete(shard);
    } else if (stats.role() != Role.WAITING) {
      waitsSinceNs.remove(shard);
    } else if (nowNs - waitsSinceNs.computeIfAbsent(shard, s -> nowNs) >= STRAY_NS) {
      waitsSinceNs.put(shard, nowNs);
      mover
          .deleteIfStray(shard)
          .onFailure(e -> LOG.debug("{} stays for now: {}", shard, e.getMessage()));
    }
  }

  /** Whether the replica was started as a holder and its member is the witness, or the reverse. */
  private boolean hasOtherPart(ProcessorGroup group, ShardPlaces places) {
    return directory.layout().hasWitnesses()
        && self.equals(places.witness()) != self.equals(group.options().getWitness());
  }

  /** This member is primary of a shard. */
  private void lead(
      int shard, ProcessorGroup group, ShardPlaces places, List<ShardStatus> changed, long nowNs) {
    GroupView view = group.view();
    if (view.stats().role() != Role.PRIMARY) {
      told.remove(shard);
      return;
    }
    List<String> inSync = new ArrayList<>(List.of(self));
    view.peers().stream()
        .filter(GroupView.Peer::inSync)
        .map(GroupView.Peer::name)
        .forEach(inSync::add);
    ShardStatus before = told.get(shard);
    if (before == null
        || before.epoch() != view.stats().epoch()
        || !before.places().equals(places)
        || !before.inSync().equals(inSync)) {
      version++;
      ShardStatus status =
          new ShardStatus(shard, view.stats().epoch(), version, self, places, inSync);
      told.put(shard, status);
      directory.learn(status);
      changed.add(status);
    }
    if (mover != null && inSync.size() < places.members().size()) {
      askForReplicas(shard, view, places, nowNs);
    }
  }

  /** A member that does not connect may have no replica, or one that knows other members. */
  private void askForReplicas(int shard, GroupView view, ShardPlaces places, long nowNs) {
    Long before = askedNs.get(shard);
    if (before != null && nowNs - before < ASK_NS) {
      return;
    }
    for (GroupView.Peer peer : view.peers()) {
      if (!peer.connected() && directory.isHeard(peer.name(), MoveCoordinator.SILENT_NS, nowNs)) {
        askedNs.put(shard, nowNs);
        mover
            .askToHold(peer.name(), shard, places.members(), places)
            .onFailure(e -> LOG.debug("{} has no replica: {}", peer.name(), e.getMessage()));
      }
    }
  }
}
