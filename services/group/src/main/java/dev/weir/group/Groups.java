package dev.weir.group;

import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.group.apply.ProcessorAdapter;
import dev.weir.group.apply.TypedProcessor;
import dev.weir.group.call.GroupCalls;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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

  /** The workers of the service are what limits; 1,048,576 is the most that a client takes. */
  private static final int WINDOW = 1 << 20;

  private final Vertx vertx;
  private final Weir weir;
  private final ClusterNode node;
  private final ClientEndpoint endpoint;
  private final List<GroupService> open = new CopyOnWriteArrayList<>();

  private Groups(Vertx vertx, Weir weir, ClusterNode node) {
    this.vertx = vertx;
    this.weir = weir;
    this.node = node;
    this.endpoint = new ClientEndpoint(vertx);
  }

  /**
   * Takes clients at the {@linkplain NodeOptions#setClientPort client port} of this member.
   *
   * @param vertx clustered with {@link ClusterNode#hazelcast()} if other nodes are to reach the
   *     groups
   * @param weir on that Vert.x
   * @param node has a client port
   * @return fails if the port is in use
   * @throws IllegalArgumentException if the node has no client port
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
    return vertx
        .executeBlocking(() -> start(named, service, processor), false)
        .compose(replica -> serve(replica, service));
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

  private <M> ProcessorGroup start(
      GroupOptions group, ServiceOptions service, Supplier<? extends GroupProcessor<M>> processor) {
    GroupBuilder builder = node.group(group).replies(endpoint.replies(group.getName()));
    boolean witness = node.options().getMemberName().equals(group.getWitness());
    if (!witness) {
      builder.processor(new ProcessorAdapter(processor.get(), service.getDedupMaxIds()));
    }
    ProcessorGroup replica = builder.start();
    if (!witness) {
      endpoint.serve(replica);
    }
    return replica;
  }

  private Future<GroupService> serve(ProcessorGroup replica, ServiceOptions service) {
    GroupOptions group = replica.options();
    ProcessorClient client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setGroup(group.getName())
                .setWindow(WINDOW)
                .setMaxMessageBytes(group.getMaxMessageBytes()),
            () -> node.clientAddresses(group.getMembers()));
    GroupCalls calls = new GroupCalls(client, group.getMaxMessageBytes(), KEY);
    return weir.serve(group.getName(), service, calls)
        .map(
            opened -> {
              GroupService served = new GroupService(vertx, opened, client, replica);
              open.add(served);
              return served;
            })
        .recover(
            failure ->
                client
                    .close()
                    .eventually(() -> GroupService.blocking(vertx, replica))
                    .transform(closed -> Future.failedFuture(failure)));
  }

  /** The groups that were served and may be closed. */
  public List<GroupService> services() {
    return List.copyOf(open);
  }

  /** Closes all groups, as {@link GroupService#close} does, and the client port. */
  public Future<Void> close() {
    return Future.join(open.stream().map(GroupService::close).toList())
        .eventually(endpoint::close)
        .mapEmpty();
  }
}
