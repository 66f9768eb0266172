package dev.weir.group;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.group.call.GroupCalls;
import dev.weir.group.call.GroupReads;
import dev.weir.group.call.ShardClients;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.move.ShardKeeper;
import dev.weir.group.wire.GroupCommand;
import dev.weir.options.Checks;
import dev.weir.options.OptionTypes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A group that is a service, on one of its members. Any thread. */
public final class GroupService {
  private static final long CHANGE_MS = 10_000;
  private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(10);

  private final Vertx vertx;
  private final Service service;
  private final ShardDirectory directory;
  private final ShardClients clients;
  private final GroupReads reads;
  private final HostedShards hosted;
  private final ShardKeeper keeper;
  private final boolean moves;

  /** Completes when the service is closed. */
  private final Promise<Void> ended = Promise.promise();

  GroupService(
      Vertx vertx,
      Service service,
      ShardDirectory directory,
      ShardClients clients,
      GroupReads reads,
      HostedShards hosted,
      ShardKeeper keeper,
      boolean moves) {
    this.vertx = vertx;
    this.service = service;
    this.directory = directory;
    this.clients = clients;
    this.reads = reads;
    this.hosted = hosted;
    this.keeper = keeper;
    this.moves = moves;
  }

  /** What takes messages here and sends them to the primary: its stats, its workers, its pause. */
  public Service service() {
    return service;
  }

  /**
   * The replica that runs here: its role and its figures, for metrics and health.
   *
   * @throws IllegalStateException if the service has several shards: {@link #replicas} has them
   */
  public ProcessorGroup group() {
    if (shards() > 1) {
      throw new IllegalStateException(
          service.address() + " has " + shards() + " shards: ask for its replicas");
    }
    return replicas().get(0);
  }

  /**
   * The replicas of shards that run here at the moment, in the order of the shards, those of shards
   * for which this member only votes among them. They come and go when shards move.
   */
  public List<ProcessorGroup> replicas() {
    return hosted.groups();
  }

  /**
   * Calls back with each replica that runs here, and with each that starts later: to bind its
   * metrics, for instance. What is returned is closed when the replica ends.
   *
   * @param watcher called on worker threads, one call at a time; it may return null. It must not
   *     throw, and must not wait for this service
   * @return completes when it was called with all replicas of now
   */
  public Future<Void> watch(Function<ProcessorGroup, ? extends AutoCloseable> watcher) {
    Checks.notNull("watcher", watcher);
    return vertx.executeBlocking(
        () -> {
          hosted.watch(watcher);
          return null;
        },
        false);
  }

  /** The number of shards, 1 for a group that is not split. */
  public int shards() {
    return clients.layout().shards();
  }

  /**
   * The shard that has all messages of a key.
   *
   * @param key not null, without halves of surrogate pairs
   * @return 0 to {@link #shards} - 1
   */
  public int shardOf(String key) {
    return clients.layout().shardOf(Checks.encodable("key", Checks.notNull("key", key)));
  }

  /**
   * The members that hold a shard, as far as this member was told, the primary first if it is
   * known.
   *
   * @param shard 0 to {@link #shards} - 1
   */
  public List<String> members(int shard) {
    return directory.members(Checks.range("shard", shard, 0, shards() - 1));
  }

  /**
   * The member that votes for a shard and does not hold it, as far as this member was told; null
   * for none.
   *
   * @param shard 0 to {@link #shards} - 1
   */
  public String witness(int shard) {
    return directory.witness(Checks.range("shard", shard, 0, shards() - 1));
  }

  /** The members over which the shards are to be spread, as far as this member was told. */
  public List<String> members() {
    return directory.planned();
  }

  /**
   * How many replicas and witnesses still have to move to another member, or to catch up there, and
   * how many roles of primary are to be handed over so that they are levelled, as far as this
   * member was told: 0 if all are where they are to be, -1 if it was told nothing.
   */
  public int moves() {
    return directory.moves();
  }

  /** Name of this member. */
  String self() {
    return keeper.self();
  }

  /** How moves get on, as far as this member knows. */
  public MoveStats moveStats() {
    return keeper.stats();
  }

  /**
   * Does what an operator asks for, in JSON: for a route, or a command, of your program.
   *
   * @param command one of {@code {"add": "f"}}, {@code {"remove": "a"}}, {@code {"move": 3, "from":
   *     "a", "to": "b"}}, as {@link #addMember}, {@link #removeMember} and {@link #move}; or {@code
   *     {}}, which changes nothing
   * @return completes as those do, with what this member knows: its name as {@code member}, {@code
   *     members}, {@code replicas} here, {@code moves}, {@code stepsDone}, {@code stepsFailed},
   *     {@code waiting}, and for each of {@code shards} its {@code members}, the primary first if
   *     it is known. Fails as those do, and with {@code BAD_REQUEST} and the reason where they fail
   *     with an {@link IllegalStateException}, and if there is no such command
   */
  public Future<JsonObject> operate(JsonObject command) {
    return ShardCommands.run(this, Checks.notNull("command", command));
  }

  /**
   * Spreads the shards over one more member, which serves this address already, with the same
   * {@link ShardOptions}. Replicas move to it one after another, while the service goes on. To ask
   * for a member that is there already does no harm.
   *
   * @param member its name
   * @return completes when the change is recorded; {@link #moves} says when it is made. Fails with
   *     a {@link io.vertx.core.eventbus.ReplyException} whose code is {@code BAD_REQUEST} with the
   *     reason if the change is refused, or {@code NO_PRIMARY}, {@code NOT_IN_SYNC} or {@code
   *     UNCERTAIN} if the first shard does not answer: then ask again. Fails with an {@link
   *     IllegalArgumentException} for what is no name, and with an {@link IllegalStateException} if
   *     the member does not serve this address, or members cannot be changed
   */
  public Future<Void> addMember(String member) {
    return change(
        () -> {
          OptionTypes.name("member", member);
          if (!directory.isHeard(member, HEARD_NS, System.nanoTime())) {
            throw new IllegalStateException(
                member + " does not serve " + service.address() + ": start it there first");
          }
          return new JsonObject().put("add", member);
        });
  }

  /**
   * Moves all shards away from a member, whether it runs or not. One that runs holds its replicas
   * until others have them; stop it when it has no {@link #replicas} any more. To ask for a member
   * that is gone already does no harm.
   *
   * @param member its name
   * @return as of {@link #addMember}
   */
  public Future<Void> removeMember(String member) {
    return change(() -> new JsonObject().put("remove", OptionTypes.name("member", member)));
  }

  /**
   * Moves one replica, or the witness of a shard, from a member to another one. The next change of
   * the members may move it again, to restore the balance.
   *
   * @param shard 0 to {@link #shards} - 1
   * @param from the member that has the replica, or votes for the shard
   * @param to a member over which shards are spread, and which is no member of this one
   * @return as of {@link #addMember}; fails with an {@link IllegalArgumentException} too if there
   *     is no such shard
   */
  public Future<Void> move(int shard, String from, String to) {
    return change(
        () ->
            new JsonObject()
                .put("move", Checks.range("shard", shard, 0, shards() - 1))
                .put("from", OptionTypes.name("from", from))
                .put("to", OptionTypes.name("to", to)));
  }

  private Future<Void> change(Supplier<JsonObject> change) {
    if (!moves) {
      return Future.failedFuture(
          new IllegalStateException(
              service.address()
                  + " has no shards that move: it is served without ShardOptions or without logs"));
    }
    try {
      return record(clients, change.get());
    } catch (IllegalArgumentException | IllegalStateException e) {
      return Future.failedFuture(e);
    }
  }

  /** Has a change of the plan recorded by the first shard. */
  static Future<Void> record(ShardClients clients, JsonObject change) {
    return clients
        .send(0, GroupCommand.plan(change), CHANGE_MS)
        .<Buffer>map(
            reply -> {
              if (reply.length() == 0) {
                throw new IllegalStateException(
                    "the primary of the first shard runs a version that cannot change members");
              }
              return reply;
            })
        .transform(GroupCalls::answer)
        .mapEmpty();
  }

  /**
   * Closes the service when it has drained, as {@link Service#close()} does, then leaves the
   * groups: other members in sync take the roles over. A second call does nothing more.
   */
  public Future<Void> close() {
    return service
        .close()
        .onComplete(done -> hosted.closeDuties())
        .eventually(keeper::close)
        .eventually(clients::close)
        .eventually(reads::close)
        .eventually(() -> leave(vertx, hosted))
        .onComplete(done -> ended.tryComplete());
  }

  /** Completes when the service is closed. */
  Future<Void> ended() {
    return ended.future();
  }

  /** Leaves the groups, which blocks. */
  static Future<Void> leave(Vertx vertx, HostedShards hosted) {
    return vertx.executeBlocking(
        () -> {
          hosted.closeAll();
          return null;
        },
        false);
  }
}
