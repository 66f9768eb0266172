package dev.weir.group;

import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.ReplySink;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.group.apply.ProcessorAdapter;
import dev.weir.group.apply.TypedProcessor;
import dev.weir.group.call.GroupCalls;
import dev.weir.group.call.GroupReads;
import dev.weir.group.call.LocalReplica;
import dev.weir.group.call.ShardClients;
import dev.weir.group.duty.MessageSender;
import dev.weir.group.duty.PrimaryDuty;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.layout.StoredLayout;
import dev.weir.group.trace.GroupTracing;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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

  /** A replica on this member, and its processor. */
  private record Started(int shard, ProcessorGroup group, ProcessorAdapter processor) {}

  /** The workers of the service are what limits; 1,048,576 is the most that a client takes. */
  private static final int WINDOW = 1 << 20;

  private final Vertx vertx;
  private final Weir weir;
  private final ClusterNode node;
  private final ClientEndpoint endpoint;
  private final WorkerExecutor workers;

  /** Null without a tracer. */
  private final GroupTracing tracing;

  private final List<GroupService> open = new CopyOnWriteArrayList<>();

  private Groups(Vertx vertx, Weir weir, ClusterNode node) {
    this.vertx = vertx;
    this.weir = weir;
    this.node = node;
    this.endpoint = new ClientEndpoint(vertx, node.options());
    this.tracing = GroupTracing.of(vertx);
    this.workers =
        vertx.createSharedWorkerExecutor(
            "weir-group-reads", Runtime.getRuntime().availableProcessors());
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
    Groups groups =
        new Groups(
            Checks.notNull("vertx", vertx),
            Checks.notNull("weir", weir),
            Checks.notNull("node", node));
    NodeOptions options = node.options();
    if (options.getClientPort() == 0) {
      throw Checks.notAllowed("clientPort", 0, "1 to 65535: members reach the primary there");
    }
    return groups.endpoint.listen(options.getHost(), options.getClientPort()).map(port -> groups);
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
   * <p>A request that gets no answer in the time that its sender names by {@link
   * dev.weir.flow.ServiceMessage#TIMEOUT_MS}, else in 30 s, fails with a {@link
   * dev.weir.flow.FlowFailure}: {@code NO_PRIMARY} and {@code NOT_IN_SYNC} say that it was not
   * applied, {@code UNCERTAIN} that it may be. Durable sends wait for the group without a limit.
   * One with an id is applied once for as long as the id is remembered.
   *
   * @param address of the service, and name of the group: 1 to 64 letters, digits, dots, dashes,
   *     underscores
   * @param group its members and what an acknowledgement means; copied, its name is set
   * @param service {@code workers} messages of this member at a time are on their way to the
   *     primary; {@code dedupMaxIds} ids are remembered, in the group and in the durable queue
   * @param processor makes the processor; called once, and not on the group's witness
   * @return completes when the service takes messages: there may be no primary yet. Fails as {@link
   *     Weir#serve} and {@link GroupBuilder#start} do
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
    return serve(ShardLayout.single(address, named.getMembers()), named, service, processor);
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
   * <p>A shard that answers nothing for a second holds at most half of the workers of this member:
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
    Checks.notNull("service", service);
    Checks.notNull("processor", processor);
    GroupOptions each = new GroupOptions(Checks.notNull("group", group));
    if (!each.getMembers().isEmpty() || each.getWitness() != null) {
      throw Checks.notAllowed("members", each.getMembers(), "none here: the shards have members");
    }
    ShardLayout layout = ShardLayout.of(address, Checks.notNull("shards", shards));
    each.setName(layout.name(layout.shards() - 1)).setMembers(layout.members(0)).validate();
    return serve(layout, each, service, processor);
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
      Supplier<? extends GroupProcessor<M>> processor) {
    return vertx
        .executeBlocking(() -> startAll(layout, group, service, processor), false)
        .compose(replicas -> serve(layout, group, replicas, service));
  }

  private <M> List<Started> startAll(
      ShardLayout layout,
      GroupOptions group,
      ServiceOptions service,
      Supplier<? extends GroupProcessor<M>> processor) {
    if (group.isPersistence()) {
      new StoredLayout(node.options().getDirectory()).check(layout);
    }
    String self = node.options().getMemberName();
    if (!layout.members().contains(self)) {
      throw Checks.notAllowed("members", layout.members(), "lists that name " + self);
    }
    List<Started> started = new ArrayList<>();
    try {
      for (int shard = 0; shard < layout.shards(); shard++) {
        if (layout.members(shard).contains(self)) {
          started.add(start(shard, shard(layout, group, shard), service, processor));
        }
      }
      return started;
    } catch (RuntimeException | Error e) {
      started.forEach(each -> each.group().close());
      throw e;
    }
  }

  /** How many replicas of a sharded service this member holds. */
  int replicas(String address, ShardOptions shards) {
    ShardLayout layout = ShardLayout.of(address, Checks.notNull("shards", shards));
    String self = node.options().getMemberName();
    return (int)
        IntStream.range(0, layout.shards())
            .filter(shard -> layout.members(shard).contains(self))
            .count();
  }

  Vertx vertx() {
    return vertx;
  }

  private static GroupOptions shard(ShardLayout layout, GroupOptions group, int shard) {
    return new GroupOptions(group).setName(layout.name(shard)).setMembers(layout.members(shard));
  }

  private <M> Started start(
      int shard,
      GroupOptions group,
      ServiceOptions service,
      Supplier<? extends GroupProcessor<M>> processor) {
    GroupBuilder builder = node.group(group);
    boolean witness = node.options().getMemberName().equals(group.getWitness());
    ReplySink replies = endpoint.replies(group.getName());
    ProcessorAdapter adapter =
        witness
            ? null
            : new ProcessorAdapter(
                processor.get(), service.getDedupMaxIds(), group.getName(), tracing);
    if (witness) {
      builder.replies(replies);
    } else {
      builder.processor(adapter).replies(replies).roles((role, epoch) -> adapter.wake());
    }
    ProcessorGroup replica = builder.start();
    if (!witness) {
      endpoint.serve(replica);
    }
    return new Started(shard, replica, adapter);
  }

  private Future<GroupService> serve(
      ShardLayout layout, GroupOptions group, List<Started> started, ServiceOptions service) {
    List<ProcessorGroup> replicas = started.stream().map(Started::group).toList();
    ShardClients clients =
        new ShardClients(
            vertx, layout, service.getWorkers(), shard -> client(shard(layout, group, shard)));
    GroupReads reads = reads(layout, started);
    GroupCalls calls = new GroupCalls(clients, reads, group.getMaxMessageBytes(), tracing);
    return reads
        .listening()
        .compose(listens -> weir.serve(layout.address(), service, calls))
        .map(
            opened -> {
              GroupService served =
                  new GroupService(
                      vertx, opened, clients, reads, duties(started, clients), replicas);
              open.add(served);
              return served;
            })
        .recover(
            failure ->
                clients
                    .close()
                    .eventually(reads::close)
                    .eventually(() -> GroupService.leave(vertx, replicas))
                    .transform(closed -> Future.failedFuture(failure)));
  }

  private GroupReads reads(ShardLayout layout, List<Started> started) {
    Map<Integer, LocalReplica> readable = new HashMap<>();
    started.stream()
        .filter(each -> each.processor() != null)
        .forEach(each -> readable.put(each.shard(), local(each)));
    return new GroupReads(vertx, layout, node.options().getMemberName(), readable, workers);
  }

  private static LocalReplica local(Started started) {
    return new LocalReplica(started.group(), started.processor()::read);
  }

  private List<PrimaryDuty> duties(List<Started> started, ShardClients clients) {
    MessageSender sender = new MessageSender(vertx, weir);
    return started.stream()
        .filter(each -> each.processor() != null)
        .map(each -> duty(each, clients, sender))
        .toList();
  }

  private PrimaryDuty duty(Started started, ShardClients clients, MessageSender sender) {
    ProcessorAdapter processor = started.processor();
    LocalReplica replica = local(started);
    PrimaryDuty duty =
        new PrimaryDuty(
            vertx,
            next ->
                replica.confirmed(
                    vertx.getOrCreateContext(),
                    workers,
                    state -> processor.work(state, next, PrimaryDuty.window())),
            command -> clients.send(started.shard(), command, 0),
            sender);
    processor.onWork(duty::wake);
    duty.wake();
    return duty;
  }

  private ProcessorClient client(GroupOptions group) {
    return ProcessorClient.create(
        vertx,
        new ProcessorClientOptions()
            .setGroup(group.getName())
            .setWindow(WINDOW)
            .setMaxMessageBytes(group.getMaxMessageBytes())
            .setTlsTrusted(node.options().getTlsTrusted())
            .setSecretFile(node.options().getSecretFile()),
        () -> node.clientAddresses(group.getMembers()));
  }

  /** The groups that were served and may be closed. */
  public List<GroupService> services() {
    return List.copyOf(open);
  }

  /** Closes all groups, as {@link GroupService#close} does, and the client port. */
  public Future<Void> close() {
    return Future.join(open.stream().map(GroupService::close).toList())
        .eventually(endpoint::close)
        .eventually(workers::close)
        .mapEmpty();
  }
}
