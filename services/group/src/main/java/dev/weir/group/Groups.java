package dev.weir.group;

import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.PairPolicy;
import dev.weir.cluster.State;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.vertx.Contexts;
import dev.weir.group.apply.IdRoom;
import dev.weir.group.apply.ProcessorAdapter;
import dev.weir.group.apply.StoredPlan;
import dev.weir.group.apply.TypedProcessor;
import dev.weir.group.call.GroupCalls;
import dev.weir.group.call.GroupReads;
import dev.weir.group.call.NewsReceiver;
import dev.weir.group.call.ReadThreads;
import dev.weir.group.call.ShardClients;
import dev.weir.group.duty.MessageSender;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.move.MoveLimits;
import dev.weir.group.move.ShardKeeper;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.trace.GroupTracing;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The groups of one member that are services. On each member of a group {@link #serveGroup} opens
 * an ordinary service of Weir, whose handler sends each message to the primary. So code on any node
 * of the cluster reaches the primary by {@code eventBus().request(address, body)}, and limits,
 * durable sends, HTTP, metrics and administration are those of any service.
 *
 * <p>A message with the header {@link dev.weir.flow.ServiceMessage#MESSAGE_ID} is applied once,
 * also if it is sent again, through whichever member. Any thread.
 */
public final class Groups {
  /** The header {@value}: what a message is about, such as the number of an account. */
  public static final String KEY = ServiceMessage.KEY;

  private final Vertx vertx;
  private final Weir weir;
  private final ClusterNode node;
  private final ClientEndpoint endpoint;
  private final ReadThreads readers;

  /** One thread, on which replicas start and end while shards move. */
  private final WorkerExecutor movers;

  /** Null without a tracer. */
  private final GroupTracing tracing;

  /** For the ids of all services. */
  private final IdRoom ids;

  /** Heap for the documents of all replicated factories. */
  private final State.Heap documentHeap = new State.Heap(0);

  private final List<GroupService> open = new CopyOnWriteArrayList<>();

  private Groups(Vertx vertx, Weir weir, ClusterNode node) {
    this.vertx = vertx;
    this.weir = weir;
    this.node = node;
    this.endpoint = new ClientEndpoint(vertx, node.options());
    this.tracing = GroupTracing.of(vertx);
    this.ids = new IdRoom(weir.heap().idBytes());
    this.readers = new ReadThreads(vertx);
    this.movers = Contexts.newThreads(vertx, "weir-group-moves", 1);
  }

  /**
   * Takes clients at the {@linkplain NodeOptions#setClientPort client port} of this member. If its
   * options have TLS or a secret, clients need them too, and the calls of this member use them.
   *
   * @param vertx clustered with {@link ClusterNode#hazelcast()} if other nodes are to reach the
   *     groups
   * @param weir on that Vert.x
   * @param node has a client port
   * @return fails if the port is in use
   * @throws IllegalArgumentException if the node has no client port, or if the file of its secret
   *     cannot be used
   */
  public static Future<Groups> start(Vertx vertx, Weir weir, ClusterNode node) {
    Checks.notNull("vertx", vertx);
    Checks.notNull("weir", weir);
    NodeOptions options = Checks.notNull("node", node).options();
    int port = options.getClientPort();
    if (port == 0) {
      throw Checks.notAllowed("clientPort", 0, "1 to 65535: members reach the primary there");
    }
    return Contexts.outside(
        vertx,
        () -> {
          Groups groups = new Groups(vertx, weir, node);
          return groups.endpoint.listen(options.getHost(), port).map(listens -> groups);
        });
  }

  /** Serves a group with the default {@link ServiceOptions}. */
  public <M> Future<GroupService> serveGroup(
      String address, GroupOptions group, Supplier<? extends GroupProcessor<M>> processor) {
    return serveGroup(address, group, new ServiceOptions(), processor);
  }

  /**
   * Starts the replica of a group on this member, and a service that reaches its primary. Every
   * member of the group calls this with the same address, group options and program.
   *
   * <p>A group that a verticle serves is closed when the verticle is undeployed.
   *
   * <p>A request that gets no answer in the time that its sender names by {@link
   * dev.weir.flow.ServiceMessage#TIMEOUT_MS}, else in 30 s, fails with a {@link
   * dev.weir.flow.FlowFailure}: {@code NO_PRIMARY} and {@code NOT_IN_SYNC} say that it was not
   * applied, {@code UNCERTAIN} that it may be. Durable sends wait for the group without a limit.
   * One with an id is applied once for as long as the id is remembered: the oldest are forgotten,
   * above {@code dedupMaxIds} and when the heap is short. A repeat whose reply is forgotten, and
   * whose id is not, fails with {@code FORGOTTEN}.
   *
   * @param address of the service, and name of the group: 1 to 64 letters, digits, dots, dashes,
   *     underscores
   * @param group its members and what an acknowledgement means; copied, its name is set
   * @param service {@code workers} messages of this member at a time are on their way to the
   *     primary; {@code dedupMaxIds} ids are remembered, in the group and in the durable queue
   * @param processor makes the processor; called once, and not on the group's witness
   * @return completes when the service takes messages: there may be no primary yet. Fails as {@link
   *     Weir#serve} and {@link dev.weir.cluster.GroupBuilder#start} do
   */
  public <M> Future<GroupService> serveGroup(
      String address,
      GroupOptions group,
      ServiceOptions service,
      Supplier<? extends GroupProcessor<M>> processor) {
    Checks.notNull("service", service);
    Checks.notNull("processor", processor);
    GroupOptions named =
        new GroupOptions(Checks.notNull("group", group)).setName(address).validate();
    ShardLayout single =
        ShardLayout.single(address, new ShardPlaces(named.getMembers(), named.getWitness()));
    return serve(single, named, service, null, null, processor);
  }

  /**
   * Serves a group that is split into shards, as {@link #serveGroup(String, GroupOptions,
   * ServiceOptions, Supplier)} serves one. Each shard is a group of its own, with a primary and
   * with a state that only messages of its keys see. The key of a message is the header {@link
   * #KEY}; a message without one fails with {@link dev.weir.flow.FlowFailure#BAD_REQUEST}. Every
   * member calls this with the same arguments, and starts the replicas that are placed on it.
   *
   * <p>All messages that belong to one id must have one key: each shard has its own ids.
   *
   * <p>A shard that answers nothing for 5 seconds holds at most half of the workers of this member:
   * other requests that wait for it fail with {@code UNCERTAIN} then, and further ones with {@code
   * NO_PRIMARY} at once. Durable messages wait.
   *
   * @param address 1 to 64 characters together with the number of a shard, such as {@code
   *     accounts.15-of-16}
   * @param shards members, number of shards and copies; what this member served before with another
   *     number is refused
   * @param group what an acknowledgement means, for each shard; has neither members nor a witness
   * @param service as for one group; {@code dedupMaxIds} ids are remembered in each shard
   * @param processor makes the processor of each shard that this member holds
   */
  public <M> Future<GroupService> serveGroup(
      String address,
      ShardOptions shards,
      GroupOptions group,
      ServiceOptions service,
      Supplier<? extends GroupProcessor<M>> processor) {
    return serveShards(address, shards, group, service, null, processor);
  }

  /**
   * The same with states on the disk.
   *
   * @param heap for the states; null to keep them in memory
   */
  <M> Future<GroupService> serveShards(
      String address,
      ShardOptions shards,
      GroupOptions group,
      ServiceOptions service,
      State.Heap heap,
      Supplier<? extends GroupProcessor<M>> processor) {
    Checks.notNull("service", service);
    Checks.notNull("processor", processor);
    MoveLimits limits = MoveLimits.of(shards, group);
    GroupOptions each = new GroupOptions(group);
    if (!each.getMembers().isEmpty() || each.getWitness() != null) {
      throw Checks.notAllowed("members", each.getMembers(), "none here: the shards have members");
    }
    if (shards.isWitness() && each.getPairPolicy() == PairPolicy.PRIMARY_CONTINUES) {
      throw Checks.notAllowed(
          "pairPolicy", each.getPairPolicy(), "BACKUP_TAKES_OVER where witness is true");
    }
    ShardLayout layout = ShardLayout.of(address, shards);
    ShardPlaces first = layout.places(0);
    each.setName(layout.name(layout.shards() - 1))
        .setMembers(first.names())
        .setWitness(first.witness())
        .validate();
    return serve(layout, each, service, limits, heap, processor);
  }

  /**
   * Serves a group whose processor takes bodies of a class, as {@link #serveGroup(String,
   * GroupOptions, ServiceOptions, Supplier)} does. A body is JSON, and mapped to the class by
   * jackson-databind at the primary; what cannot be mapped is refused with {@link
   * dev.weir.flow.FlowFailure#BAD_REQUEST}, and changes nothing. A reply that is no body is mapped
   * to JSON.
   *
   * @param type not null
   */
  public <M> Future<GroupService> serveGroup(
      String address,
      Class<M> type,
      GroupOptions group,
      ServiceOptions service,
      Supplier<? extends GroupProcessor<M>> processor) {
    Checks.notNull("type", type);
    Checks.notNull("processor", processor);
    return serveGroup(address, group, service, () -> new TypedProcessor<>(type, processor.get()));
  }

  /**
   * Serves a group that is split into shards, and whose processor takes bodies of a class.
   *
   * @param type not null
   */
  public <M> Future<GroupService> serveGroup(
      String address,
      Class<M> type,
      ShardOptions shards,
      GroupOptions group,
      ServiceOptions service,
      Supplier<? extends GroupProcessor<M>> processor) {
    Checks.notNull("type", type);
    Checks.notNull("processor", processor);
    return serveGroup(
        address, shards, group, service, () -> new TypedProcessor<>(type, processor.get()));
  }

  private <M> Future<GroupService> serve(
      ShardLayout layout,
      GroupOptions group,
      ServiceOptions service,
      MoveLimits limits,
      State.Heap heap,
      Supplier<? extends GroupProcessor<M>> processor) {
    String self = node.options().getMemberName();
    if (limits == null && !layout.members().contains(self)) {
      return Future.failedFuture(
          Checks.notAllowed("members", layout.members(), "lists that name " + self));
    }
    ShardDirectory directory = new ShardDirectory(layout);
    HostedShards hosted =
        new HostedShards(
            vertx,
            node,
            endpoint,
            readers,
            directory,
            group,
            heap,
            limits != null,
            shard ->
                new ProcessorAdapter(
                    processor.get(),
                    service.getDedupMaxIds(),
                    ids,
                    layout.name(shard),
                    tracing,
                    shard == 0 && limits != null
                        ? StoredPlan.of(layout, group.getMinInSync())
                        : null));
    if (service.getDedupMaxIds() > 0) {
      // A witness remembers no ids.
      hosted.watch(replica -> self.equals(replica.witness()) ? null : ids.open());
    }
    Future<GroupService> started =
        Contexts.outside(
            vertx,
            () ->
                Future.succeededFuture()
                    .compose(v -> serve(directory, group, hosted, service, limits)));
    Contexts.closeWith(
        Contexts.caller(vertx),
        () -> started.compose(GroupService::close, failure -> Future.succeededFuture()),
        started.compose(GroupService::ended));
    return started;
  }

  State.Heap documentHeap() {
    return documentHeap;
  }

  Vertx vertx() {
    return vertx;
  }

  private Future<GroupService> serve(
      ShardDirectory directory,
      GroupOptions group,
      HostedShards hosted,
      ServiceOptions service,
      MoveLimits limits) {
    ShardLayout layout = directory.layout();
    ShardClients clients =
        new ShardClients(
            vertx,
            node,
            layout,
            service.getWorkers(),
            group.getMaxMessageBytes(),
            directory::members);
    String self = node.options().getMemberName();
    GroupReads reads = new GroupReads(vertx, directory, self, hosted::reader, readers);
    GroupCalls calls =
        new GroupCalls(
            clients, reads, group.getMaxMessageBytes(), service.getDedupMaxIds() > 0, tracing);
    ShardKeeper keeper =
        new ShardKeeper(
            vertx,
            directory,
            self,
            hosted,
            movers,
            limits,
            () -> NewsReceiver.present(node),
            member -> GroupService.record(clients, new JsonObject().put("remove", member)));
    return vertx
        .executeBlocking(hosted::check, false)
        .compose(isNew -> isNew ? keeper.askAll() : Future.<Void>succeededFuture())
        .compose(known -> vertx.executeBlocking(hosted::startAll, false))
        .compose(started -> reads.listening())
        .compose(listens -> keeper.start())
        .compose(starts -> weir.serve(layout.address(), service, calls))
        .compose(
            opened ->
                vertx.executeBlocking(
                    () -> {
                      hosted.open(clients, new MessageSender(vertx, weir));
                      return new GroupService(
                          vertx, opened, directory, clients, reads, hosted, keeper, limits != null);
                    },
                    false))
        .onSuccess(
            served -> {
              open.add(served);
              served.ended().onComplete(done -> open.remove(served));
            })
        .recover(
            failure ->
                clients
                    .close()
                    .eventually(keeper::close)
                    .eventually(reads::close)
                    .eventually(() -> GroupService.leave(vertx, hosted))
                    .transform(closed -> Future.failedFuture(failure)));
  }

  /** The groups that are served. */
  public List<GroupService> services() {
    return List.copyOf(open);
  }

  /** Closes all groups, as {@link GroupService#close} does, and the client port. */
  public Future<Void> close() {
    return Future.join(open.stream().map(GroupService::close).toList())
        .eventually(endpoint::close)
        .onComplete(closed -> readers.close())
        .eventually(movers::close)
        .mapEmpty();
  }
}
