package dev.weir.group.move;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.vertx.Contexts;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.placement.MoveStep;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.ShardStatus;
import dev.weir.group.wire.MemberEndpoint;
import dev.weir.group.wire.ShardNews;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What members of a service ask each other for while shards move: a step of the primary of a shard,
 * a replica of the member that is to join, and whether a member belongs to a shard. Each request
 * may come again, and from two members at once: a change of a shard is an entry of its own log.
 */
public final class ShardMover {
  private static final String STEP = "step";
  private static final String HOLD = "hold";
  private static final String IS_MEMBER = "isMember";
  private static final String SHARD = "shard";
  private static final String OUT = "out";
  private static final String IN = "in";
  private static final String TO = "to";
  private static final String MEMBER = "member";
  private static final String NOW = "now";
  private static final String PLACES = "places";
  private static final String WITNESS = "witness";

  private static final long STEP_MS = 60_000;
  private static final long ASK_MS = 10_000;

  private final Vertx vertx;
  private final ShardDirectory directory;
  private final String self;
  private final LocalShards local;
  private final WorkerExecutor workers;
  private final MemberEndpoint<JsonObject> members;

  /**
   * @param self name of this member
   * @param workers one thread, on which replicas start and end
   */
  public ShardMover(
      Vertx vertx,
      ShardDirectory directory,
      String self,
      LocalShards local,
      WorkerExecutor workers) {
    this.vertx = vertx;
    this.directory = directory;
    this.self = self;
    this.local = local;
    this.workers = workers;
    this.members =
        new MemberEndpoint<>(
            vertx, ShardNews.ASKED_AT, directory.layout().address(), self, this::serve);
  }

  /** Completes when other members reach this one. */
  Future<Void> listening() {
    return members.listening();
  }

  /** Ends requests of other members. */
  Future<Void> close() {
    return members.close();
  }

  <T> Future<T> blocking(Callable<T> task) {
    return Contexts.executeBlocking(workers, task, false);
  }

  private Future<Message<JsonObject>> ask(String member, JsonObject request, long timeoutMs) {
    return members.ask(member, request, new DeliveryOptions().setSendTimeout(timeoutMs));
  }

  /** Asks the primary of a shard for a step; completes when it is made. */
  Future<Void> ask(MoveStep step) {
    JsonObject request =
        new JsonObject()
            .put(ShardNews.DO, STEP)
            .put(SHARD, step.shard())
            .put(OUT, step.out())
            .put(IN, step.in())
            .put(TO, step.to())
            .put(WITNESS, step.asWitness());
    return ask(step.primary(), request, STEP_MS).mapEmpty();
  }

  /**
   * Asks a member of a shard to run its replica, which it may do already.
   *
   * @param now names of the members at the moment
   * @param places with that member
   */
  Future<Void> askToHold(String member, int shard, List<String> now, ShardPlaces places) {
    JsonObject request =
        new JsonObject()
            .put(ShardNews.DO, HOLD)
            .put(SHARD, shard)
            .put(NOW, new JsonArray(now))
            .put(PLACES, new JsonArray(places.names()))
            .put(WITNESS, places.witness());
    return ask(member, request, ASK_MS).mapEmpty();
  }

  private Future<Boolean> askForMembership(String primary, int shard) {
    JsonObject request =
        new JsonObject().put(ShardNews.DO, IS_MEMBER).put(SHARD, shard).put(MEMBER, self);
    return ask(primary, request, ASK_MS).map(reply -> reply.body().getBoolean(IS_MEMBER));
  }

  private ShardNews news() {
    List<ShardStatus> known = directory.statuses().stream().filter(Objects::nonNull).toList();
    return new ShardNews(self, false, known, directory.planned(), directory.moves());
  }

  private void serve(Message<JsonObject> message) {
    JsonObject request = message.body();
    answer(request)
        .onSuccess(message::reply)
        .onFailure(
            failure ->
                message.fail(
                    FlowFailure.HANDLER_FAILED.code(), String.valueOf(failure.getMessage())));
  }

  private Future<JsonObject> answer(JsonObject request) {
    int shard = request.getInteger(SHARD, 0);
    JsonObject done = new JsonObject();
    return switch (request.getString(ShardNews.DO, "")) {
      case STEP -> step(step(shard, request)).map(done);
      case HOLD ->
          blocking(
              () -> {
                hold(
                    shard,
                    texts(request, NOW),
                    new ShardPlaces(texts(request, PLACES), request.getString(WITNESS)));
                return done;
              });
      case IS_MEMBER ->
          isMember(shard, request.getString(MEMBER)).map(is -> done.put(IS_MEMBER, is));
      case ShardNews.NEWS -> Future.succeededFuture(news().toJson());
      default -> Future.failedFuture("no such request: " + request.getString(ShardNews.DO));
    };
  }

  private static List<String> texts(JsonObject request, String name) {
    return request.getJsonArray(name).stream().map(String::valueOf).toList();
  }

  private ProcessorGroup here(int shard) {
    ProcessorGroup group = local.group(shard);
    if (group == null) {
      throw new IllegalStateException(self + " does not hold shard " + shard);
    }
    return group;
  }

  /** A step that this member is asked for. Older members name nobody who takes over or votes. */
  private MoveStep step(int shard, JsonObject request) {
    return new MoveStep(
        shard,
        self,
        request.getString(OUT),
        request.getString(IN),
        request.getString(TO),
        request.getBoolean(WITNESS, false));
  }

  /** Makes a step of a shard of which this member is primary. */
  private Future<Void> step(MoveStep step) {
    return blocking(() -> begin(step))
        .compose(now -> prepare(step, now))
        .compose(now -> made(step, now, () -> change(step, now)))
        .mapEmpty();
  }

  /**
   * Has the member that is to join start its replica, so that nothing changes if it cannot, and the
   * witness leave if the step needs its place. If that member is the witness, it leaves first: its
   * replica has to end before another one starts.
   *
   * @return completes with the members that are left
   */
  private Future<ShardPlaces> prepare(MoveStep step, ShardPlaces now) {
    return step.in() != null && step.in().equals(now.witness())
        ? withoutWitness(step, now).compose(left -> askToHold(step, left).map(left))
        : askToHold(step, now).compose(held -> withoutWitness(step, now));
  }

  /** Checks a step; returns the members of the shard. */
  private ShardPlaces begin(MoveStep step) {
    int shard = step.shard();
    ProcessorGroup group = here(shard);
    GroupView view = group.view();
    if (view.stats().role() != Role.PRIMARY) {
      throw new IllegalStateException(self + " is not primary of shard " + shard);
    }
    ShardPlaces now = places(group);
    String out = step.out();
    if (out != null && !now.members().contains(out)) {
      throw new IllegalStateException(out + " is no member of shard " + shard);
    }
    boolean fits = out == null ? now.holders().size() == 2 : out.equals(now.witness());
    if (step.asWitness() && !fits) {
      throw new IllegalStateException(
          "shard " + shard + " has " + now + ", so " + step.in() + " cannot be its witness");
    }
    ShardPlaces room = step.isBarredBy(now.witness()) ? now.without(now.witness()) : now;
    boolean leavesFirst = out != null && (step.in() == null || !room.hasRoom());
    if (leavesFirst && !mayLeave(view, out)) {
      throw new IllegalStateException(
          "not all members of shard " + shard + " that stay are in sync, so " + out + " stays");
    }
    return now;
  }

  /** What the one who asks knew may be old: who is in sync leaves only if all others are. */
  private static boolean mayLeave(GroupView view, String out) {
    boolean isInSync =
        view.peers().stream().anyMatch(peer -> peer.name().equals(out) && peer.inSync());
    return !isInSync
        || view.peers().stream()
            .allMatch(peer -> peer.name().equals(out) || peer.inSync() || peer.witness());
  }

  private Future<Void> askToHold(MoveStep step, ShardPlaces now) {
    if (step.in() == null) {
      return Future.succeededFuture();
    }
    ShardPlaces room = step.isBarredBy(now.witness()) ? now.without(now.witness()) : now;
    ShardPlaces next = room.joined(step.out(), step.in(), step.asWitness());
    return askToHold(step.in(), step.shard(), now.members(), next);
  }

  /** Completes with the members when the witness, if the step needs its place, has left. */
  private Future<ShardPlaces> withoutWitness(MoveStep step, ShardPlaces now) {
    String witness = now.witness();
    return step.isBarredBy(witness)
        ? made(step, now, () -> here(step.shard()).remove(witness)).map(now.without(witness))
        : Future.succeededFuture(now);
  }

  /** Completes when a change is made of the members that a shard is to have before it. */
  private Future<List<String>> made(
      MoveStep step, ShardPlaces now, Callable<CompletionStage<List<String>>> change) {
    return blocking(
            () -> {
              if (!places(here(step.shard())).equals(now)) {
                throw new IllegalStateException(
                    "the members of shard " + step.shard() + " have changed meanwhile");
              }
              return change.call();
            })
        .compose(made -> Future.fromCompletionStage(made, vertx.getOrCreateContext()));
  }

  /** The members of a shard, as its replica here knows them. */
  static ShardPlaces places(ProcessorGroup group) {
    return new ShardPlaces(group.members(), group.witness());
  }

  private CompletionStage<List<String>> change(MoveStep step, ShardPlaces now) {
    ProcessorGroup group = here(step.shard());
    String out = step.out();
    String in = step.in();
    if (in != null && out != null) {
      return group.replace(out, in);
    }
    if (in != null) {
      return step.asWitness() ? group.addWitness(in) : group.add(in);
    }
    if (out != null) {
      return group.remove(out);
    }
    if (step.isHandOver()) {
      group.handOver(step.to());
    } else {
      group.handOver();
    }
    return CompletableFuture.completedStage(now.names());
  }

  /**
   * Has the replica of a shard run here.
   *
   * @param now names of the members at the moment
   * @param places with this one
   */
  private void hold(int shard, List<String> now, ShardPlaces places) {
    ProcessorGroup group = local.group(shard);
    if (group != null && !group.members().contains(self)) {
      // It was taken out before, and has not been deleted yet.
      local.delete(shard);
      group = null;
    }
    if (group == null) {
      local.start(shard, places);
    } else if (!isBlank(group)) {
      if (!now.contains(self)) {
        throw new IllegalStateException(
            self + " still has a replica of shard " + shard + " of before: it is deleted first");
      }
    } else if (!isStartedWith(group.options(), places)) {
      startAgain(shard, group, places);
    }
  }

  private static boolean isStartedWith(GroupOptions options, ShardPlaces places) {
    return new ShardPlaces(options.getMembers(), options.getWitness()).equals(places);
  }

  /** A replica that was never part of its group finds it only if it knows the members. */
  private void startAgain(int shard, ProcessorGroup group, ShardPlaces places) {
    local.stop(shard);
    if (isBlank(group)) {
      local.delete(shard);
      local.start(shard, places);
    } else {
      local.restart(shard);
    }
  }

  /** Whether a replica has neither voted nor heard of a primary. */
  private static boolean isBlank(ProcessorGroup group) {
    GroupStats stats = group.stats();
    return stats.epoch() == 0 && stats.logEnd() == 0;
  }

  /** Whether another member belongs to a shard of which this one is primary. */
  private Future<Boolean> isMember(int shard, String member) {
    // In this order: who is primary after it has looked knows the members as they were then.
    return blocking(() -> here(shard).members().contains(member))
        .compose(is -> local.confirmPrimary(shard).map(confirmed -> is));
  }

  /**
   * Deletes the replica of a shard to which this member does not belong any more, as the primary
   * says. A member that did not run when it was taken out does not know that.
   */
  Future<Void> deleteIfStray(int shard) {
    ShardStatus status = directory.status(shard);
    ProcessorGroup group = local.group(shard);
    if (status == null
        || group == null
        || status.members().contains(self)
        || status.epoch() < group.stats().epoch()) {
      return Future.succeededFuture();
    }
    return askForMembership(status.primary(), shard)
        .compose(
            is -> is ? Future.<Void>succeededFuture() : stopAndDelete(status.primary(), shard));
  }

  /** The second question makes sure that the replica has not joined before it was stopped. */
  private Future<Void> stopAndDelete(String primary, int shard) {
    return blocking(
            () -> {
              local.stop(shard);
              return null;
            })
        .compose(stopped -> askForMembership(primary, shard).otherwise(true))
        .compose(
            is ->
                blocking(
                    () -> {
                      if (local.group(shard) != null) {
                        // It was started meanwhile, to join again: the answer is of before.
                        return null;
                      }
                      if (is) {
                        local.restart(shard);
                      } else {
                        local.delete(shard);
                      }
                      return null;
                    }));
  }
}
