package dev.weir.group;

import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.State;
import dev.weir.group.apply.ProcessorAdapter;
import dev.weir.group.call.LocalReplica;
import dev.weir.group.call.ReadThreads;
import dev.weir.group.call.ShardClients;
import dev.weir.group.duty.MessageSender;
import dev.weir.group.duty.PrimaryDuty;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.layout.StoredLayout;
import dev.weir.group.move.LocalShards;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.ShardPlan;
import dev.weir.group.placement.ShardStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas of one service on this member. They come and go when shards move. Any thread. */
final class HostedShards implements LocalShards {
  private static final Logger LOG = LoggerFactory.getLogger(HostedShards.class);

  /** A replica that runs; without a processor and a reader on a witness. */
  private record Hosted(ProcessorGroup group, ProcessorAdapter processor, LocalReplica reader) {}

  /** With more replicas than these, a member sends the heartbeats of each less often. */
  private static final int HEARTBEAT_REPLICAS = 32;

  /** A lease has so many of these, so at least three if some are a little late. */
  private static final int HEARTBEATS_OF_LEASE = 4;

  private static final int MOST_PACED_MS = 1_000;

  private final Vertx vertx;
  private final ClusterNode node;
  private final ClientEndpoint endpoint;
  private final ReadThreads readers;
  private final ShardDirectory directory;
  private final ShardLayout layout;
  private final GroupOptions options;

  /** For the state of all replicas that share it; null to keep each state in memory. */
  private final State.Heap heap;

  private final boolean moves;
  private final IntFunction<ProcessorAdapter> processors;
  private final StoredLayout stored;
  private final Map<Integer, Hosted> running = new ConcurrentSkipListMap<>();
  private final Map<Integer, PrimaryDuty> duties = new ConcurrentSkipListMap<>();

  private final ReplicaWatches watches = new ReplicaWatches();

  /** Null until the service takes messages. */
  private ShardClients clients;

  private MessageSender sender;

  /** Whether the service has never run here. */
  private boolean isNew;

  private boolean closed;

  /**
   * @param readers run reads
   * @param options of each shard, without name and members
   * @param heap heap for the states, which are on the disk; null to keep them in memory
   * @param moves whether replicas may come and go
   * @param processors makes the processor of a shard
   */
  HostedShards(
      Vertx vertx,
      ClusterNode node,
      ClientEndpoint endpoint,
      ReadThreads readers,
      ShardDirectory directory,
      GroupOptions options,
      State.Heap heap,
      boolean moves,
      IntFunction<ProcessorAdapter> processors) {
    this.vertx = vertx;
    this.node = node;
    this.endpoint = endpoint;
    this.readers = readers;
    this.directory = directory;
    this.layout = directory.layout();
    this.options = options;
    this.heap = heap;
    this.moves = moves;
    this.processors = processors;
    this.stored =
        new StoredLayout(node.options().getDirectory(), layout, node.options().getMemberName());
  }

  /**
   * Reads what this member holds. Blocks.
   *
   * @return whether the service has never run here
   * @throws IllegalArgumentException if the service was served with another layout before
   */
  synchronized boolean check() {
    isNew = options.isPersistence() && stored.check() && moves;
    return isNew;
  }

  /** Starts the replicas that this member holds. Blocks. */
  synchronized Void startAll() {
    stored.dropped().forEach(this::tryToDeleteLog);
    if (isNew) {
      followMoves();
    }
    // What a replica reads when it opens is to fit its part beside all that open later.
    State.Heap parts = heap == null ? new State.Heap(0) : heap;
    int held = (int) stored.held().values().stream().filter(places -> !isWitness(places)).count();
    parts.join(held);
    try {
      stored.held().forEach(this::startOrDelete);
    } catch (RuntimeException | Error e) {
      closeAll();
      throw e;
    } finally {
      parts.leave(held);
    }
    return null;
  }

  /** A member without files may be one of before, whose shards have moved meanwhile. */
  private void followMoves() {
    String self = node.options().getMemberName();
    Map<Integer, ShardPlaces> held = stored.held();
    for (int shard : stored.held().keySet()) {
      ShardStatus status = directory.status(shard);
      if (status != null && status.members().contains(self)) {
        held.put(shard, status.places());
      } else if (status != null) {
        held.remove(shard);
      }
    }
    stored.holdOnly(held);
  }

  private void startOrDelete(int shard, ShardPlaces places) {
    if (running.containsKey(shard)) {
      return;
    }
    try {
      run(shard, places);
    } catch (IllegalStateException e) {
      if (!wasTakenOut(shard, places)) {
        throw e;
      }
      LOG.info("{}", e.getMessage());
      stored.drop(shard);
      deleteLog(shard);
    }
  }

  /** Whether the log says so, or that this member has come back with another part since. */
  private boolean wasTakenOut(int shard, ShardPlaces places) {
    return moves && !node.isMember(layout.name(shard), isWitness(places));
  }

  /** What is left is deleted before the shard is held again; the other shards do not wait. */
  private void tryToDeleteLog(int shard) {
    try {
      deleteLog(shard);
    } catch (RuntimeException e) {
      LOG.warn("the log of {}, which has moved away, is still there", layout.name(shard), e);
    }
  }

  private void deleteLog(int shard) {
    node.deleteLog(layout.name(shard));
    stored.deleted(shard);
  }

  private boolean isWitness(ShardPlaces places) {
    return node.options().getMemberName().equals(places.witness());
  }

  private void run(int shard, ShardPlaces places) {
    GroupOptions group =
        new GroupOptions(options)
            .setName(layout.name(shard))
            .setMembers(places.names())
            .setWitness(places.witness())
            .setHeartbeatMs(heartbeatMs(options, stored.heldCount()));
    GroupBuilder builder = node.group(group);
    ReplySink replies = endpoint.replies(group.getName());
    if (isWitness(places)) {
      ProcessorGroup votes = builder.replies(replies).start();
      running.put(shard, new Hosted(votes, null, null));
      watches.started(shard, votes);
      return;
    }
    if (heap != null) {
      builder.stateOnDisk(heap);
    }
    ProcessorAdapter processor = processors.apply(shard);
    ProcessorGroup replica =
        builder
            .processor(processor)
            .replies(replies)
            .roles((role, epoch) -> processor.wake())
            .start();
    endpoint.serve(replica);
    Hosted hosted = new Hosted(replica, processor, new LocalReplica(replica, processor::read));
    running.put(shard, hosted);
    watches.started(shard, replica);
    if (clients != null) {
      beginDuty(shard, hosted);
    }
  }

  /** Ms between heartbeats of each of so many replicas: those of many would take much CPU. */
  static int heartbeatMs(GroupOptions options, int replicas) {
    int asked = options.getHeartbeatMs();
    long paced = (long) asked * replicas / HEARTBEAT_REPLICAS;
    long most = Math.min(MOST_PACED_MS, options.getLeaseMs() / HEARTBEATS_OF_LEASE);
    return (int) Math.max(asked, Math.min(paced, most));
  }

  /** Has each replica that runs here, now or later, watched until it ends. */
  synchronized void watch(Function<ProcessorGroup, ? extends AutoCloseable> watcher) {
    Map<Integer, ProcessorGroup> groups = new TreeMap<>();
    running.forEach((shard, hosted) -> groups.put(shard, hosted.group()));
    watches.add(watcher, groups);
  }

  /** The service takes messages: primaries fire timers and send messages to other services. */
  synchronized void open(ShardClients to, MessageSender by) {
    clients = to;
    sender = by;
    running.forEach(this::beginDuty);
  }

  private void beginDuty(int shard, Hosted hosted) {
    ProcessorAdapter processor = hosted.processor();
    if (processor == null) {
      return;
    }
    PrimaryDuty duty =
        new PrimaryDuty(
            vertx,
            next ->
                hosted
                    .reader()
                    .confirmed(
                        vertx.getOrCreateContext(),
                        readers,
                        state -> processor.work(state, next, PrimaryDuty.window())),
            command -> clients.send(shard, command, 0),
            sender,
            options.getMaxMessageBytes());
    duties.put(shard, duty);
    processor.onWork(duty::wake);
    duty.wake();
  }

  @Override
  public Set<Integer> shards() {
    return new TreeSet<>(running.keySet());
  }

  @Override
  public ProcessorGroup group(int shard) {
    Hosted hosted = running.get(shard);
    return hosted == null ? null : hosted.group();
  }

  /** The replicas that run here, in the order of the shards. */
  List<ProcessorGroup> groups() {
    return running.values().stream().map(Hosted::group).toList();
  }

  /** The replica of a shard, for reads; null if none runs here. */
  LocalReplica reader(int shard) {
    Hosted hosted = running.get(shard);
    return hosted == null ? null : hosted.reader();
  }

  @Override
  public synchronized void start(int shard, ShardPlaces places) {
    if (closed) {
      throw new IllegalStateException("the service is closed");
    }
    if (running.containsKey(shard)) {
      return;
    }
    if (stored.dropped().contains(shard)) {
      // An attempt before has failed.
      deleteLog(shard);
    }
    ShardPlaces before = stored.held().get(shard);
    if (before != null && isWitness(before) != isWitness(places)) {
      // Of before it was taken out; it has ended, and was not deleted.
      stored.drop(shard);
      deleteLog(shard);
    }
    stored.hold(shard, places);
    try {
      run(shard, places);
    } catch (IllegalStateException e) {
      if (!wasTakenOut(shard, places)) {
        throw e;
      }
      deleteLog(shard);
      run(shard, places);
    }
  }

  @Override
  public synchronized void stop(int shard) {
    PrimaryDuty duty = duties.remove(shard);
    if (duty != null) {
      duty.close();
    }
    Hosted hosted = running.remove(shard);
    watches.ended(shard);
    if (hosted != null) {
      hosted.group().close();
    }
  }

  @Override
  public synchronized void restart(int shard) {
    ShardPlaces places = stored.held().get(shard);
    if (!closed && places != null) {
      run(shard, places);
    }
  }

  @Override
  public synchronized void delete(int shard) {
    stop(shard);
    if (!closed) {
      stored.drop(shard);
      deleteLog(shard);
    }
  }

  @Override
  public Future<ShardPlan> plan() {
    Hosted first = running.get(0);
    return first == null || first.reader() == null
        ? Future.failedFuture("the first shard is not here")
        : first.reader().confirmed(vertx.getOrCreateContext(), readers, first.processor()::plan);
  }

  @Override
  public Future<Void> confirmPrimary(int shard) {
    LocalReplica here = reader(shard);
    return here == null
        ? Future.failedFuture("shard " + shard + " is not here")
        : here.confirmed(vertx.getOrCreateContext(), readers, state -> Buffer.buffer()).mapEmpty();
  }

  /** Primaries do nothing more by themselves. */
  void closeDuties() {
    duties.values().forEach(PrimaryDuty::close);
  }

  /** Leaves all groups: other members in sync take the roles over. Blocks. */
  synchronized void closeAll() {
    closed = true;
    running.keySet().forEach(this::stop);
  }
}
