package dev.weir.group;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.State;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.vertx.Contexts;
import dev.weir.group.documents.DocumentProcessor;
import dev.weir.group.documents.RemoteCalls;
import dev.weir.group.documents.RemoteShards;
import dev.weir.group.documents.ReplicatedCalls;
import dev.weir.group.layout.ShardLayout;
import dev.weir.options.Checks;
import dev.weir.options.OptionTypes;
import dev.weir.queue.Durability;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Factories of documents whose documents are on several members: each key belongs to a shard, and
 * each shard is a group with a primary. Needs {@code weir-state}. docs/groups.md says what such a
 * factory promises.
 */
public final class ReplicatedFactories {
  /** Room in a message for what is beside the document. */
  private static final int MESSAGE_BYTES = 4 << 10;

  private ReplicatedFactories() {}

  /**
   * Serves a factory of documents. Every member calls this with the same arguments, before or after
   * the others, and holds the shards that are placed on it. The factory is reached on the event bus
   * and over HTTP as every other one of {@code documents}, on each member. Members come and go as
   * those of {@link Groups#serveGroup} do, by the {@link #service} of the factory; a member that
   * comes later calls this with the same arguments, in which it is not named. Without persistence
   * of the group the members stay.
   *
   * <p>A write completes when as many members hold it as {@code minInSync} of the group says. A
   * read shows all writes that completed before it. Documents of a shard, with keys and indexes,
   * are on the disks of all its members, and those that were used last in their memory. Without
   * persistence of the group all are in memory.
   *
   * @param documents serves the factory on this member, and gives the heap
   * @param name of the factory; the service and its groups are {@code documents-NAME}
   * @param options copied; {@code maxDocumentBytes} is at most {@code maxMessageBytes} of the
   *     group, less room for the key and 4 KiB. Versions, a commit interval, {@code persisted}
   *     false and {@code MACHINE} are refused. The indexes stay for the life of the factory. {@code
   *     changeLogBytes}, 300 for each change beside its bytes, is split over the shards; the part
   *     of a shard is less than what a shard may have of {@code memoryBytes} in memory only
   * @param rules copied; run on the primary alone
   * @param memoryBytes heap for the documents of this factory on this member, estimated: the
   *     replicas that run here at the moment, of all factories of {@code groups}, share the sum in
   *     equal parts, also when they come and go. Where documents are in memory only, also while a
   *     member of an earlier version holds some, a write that does not fit fails with {@code
   *     MEMORY_FULL}: a shard may have {@code memoryBytes} divided by the most shards with which a
   *     member began, the same on all members
   * @return fails as {@link Groups#serveGroup} and {@link Documents#factory} do
   */
  public static Future<DocumentFactory> serve(
      Groups groups,
      Documents documents,
      String name,
      FactoryOptions options,
      FactoryRules rules,
      ShardOptions shards,
      GroupOptions group,
      long memoryBytes) {
    try {
      Checks.notNull("groups", groups);
      Checks.notNull("documents", documents);
      OptionTypes.name("factory", name);
      Checks.range("memoryBytes", memoryBytes, 1, Long.MAX_VALUE);
      FactoryOptions fitting =
          fitting(Checks.notNull("options", options), Checks.notNull("group", group));
      FactoryRules ownRules = new FactoryRules(Checks.notNull("rules", rules));
      ShardLayout layout = ShardLayout.of(address(name), Checks.notNull("shards", shards));
      long shardBytes = memoryBytes / layout.mostReplicas();
      long logBytes = logBytes(fitting, shards, shardBytes);
      State.Heap heap = groups.documentHeap();
      long heapBytes = group.isPersistence() ? memoryBytes : 0;
      heap.add(heapBytes);
      Supplier<DocumentProcessor> processors =
          () ->
              new DocumentProcessor(
                  name, fitting, ownRules, shardBytes, logBytes, group.isPersistence());
      return Future.succeededFuture()
          .compose(
              v ->
                  groups.serveShards(
                      address(name),
                      shards,
                      group,
                      new ServiceOptions().setDedupMaxIds(0),
                      heap,
                      processors))
          .onFailure(failure -> heap.add(-heapBytes))
          .onSuccess(service -> service.ended().onComplete(v -> heap.add(-heapBytes)))
          .compose(
              service -> serve(groups.vertx(), documents, name, fitting, service, memoryBytes));
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static Future<DocumentFactory> serve(
      Vertx vertx,
      Documents documents,
      String name,
      FactoryOptions options,
      GroupService service,
      long memoryBytes) {
    return documents
        .serve(
            new ReplicatedCalls(
                vertx,
                name,
                options,
                ReplicatedCalls.ofService(vertx, address(name)),
                shardKeys(service.shards(), service::shardOf),
                documents.options().getMaxStreams()),
            memoryBytes)
        .recover(
            failure ->
                service.close().transform(closed -> Future.<DocumentFactory>failedFuture(failure)));
  }

  /**
   * The service of the shards of a factory on this member: who holds them, and calls that change
   * the members.
   *
   * @param name of a factory that {@code groups} serves
   * @throws IllegalArgumentException if there is none
   */
  public static GroupService service(Groups groups, String name) {
    return Checks.notNull("groups", groups).services().stream()
        .filter(each -> each.service().address().equals(address(name)))
        .findFirst()
        .orElseThrow(
            () -> Checks.notAllowed("factory", name, "a replicated one that this member serves"));
  }

  /**
   * Reaches a factory from a node that holds none of its documents, also while its shards move.
   * Operations go to the primaries at their {@linkplain NodeOptions#setClientPort client ports},
   * those that wait together in one write, each with its own reply. When a primary is lost, the
   * operations without a reply are sent to the next one, which applies each once. Queries, reads
   * and changes go over the event bus.
   *
   * <p>An operation without a reply after {@value RemoteCalls#TIMEOUT_MS} ms fails: with {@code
   * UNAVAILABLE} if it was not applied, with {@code STORE_FAILED} if it may be.
   *
   * @param vertx clustered with {@link ClusterNode#hazelcast()}, as those of the members are
   * @param node in the cluster of the members; its TLS and its secret are those of the members
   * @param name of the factory
   * @param options those with which the members serve it; copied
   * @param shards those with which the members serve it: the members that came or went since are
   *     learned from those that are there
   * @param group that with which the members serve it
   * @param inFlightBytes heap for operations without a reply, estimated, 1 or more; half of it for
   *     each shard, if there are several. Further ones fail with {@code BUSY}, one that is larger
   *     with {@code TOO_LARGE}
   * @throws IllegalArgumentException as {@link #serve} fails
   */
  public static RemoteFactory connect(
      Vertx vertx,
      ClusterNode node,
      String name,
      FactoryOptions options,
      ShardOptions shards,
      GroupOptions group,
      long inFlightBytes) {
    Checks.notNull("vertx", vertx);
    Checks.notNull("node", node);
    OptionTypes.name("factory", name);
    Checks.range("inFlightBytes", inFlightBytes, 1, Long.MAX_VALUE);
    FactoryOptions fitting =
        fitting(Checks.notNull("options", options), Checks.notNull("group", group));
    ShardLayout layout = ShardLayout.of(address(name), Checks.notNull("shards", shards));
    Context caller = Contexts.caller(vertx);
    // Of no verticle: the end of the caller's would end what belongs to the factory.
    Context own = caller == null ? Contexts.newEventLoop(vertx) : Contexts.newBeside(caller);
    return Contexts.within(
        own,
        () ->
            new RemoteCalls(
                vertx,
                name,
                fitting,
                new RemoteShards(vertx, node, layout, group.getMaxMessageBytes(), inFlightBytes),
                shardKeys(layout.shards(), layout::shardOf)));
  }

  /**
   * Checks what {@link #serve} refuses of a factory.
   *
   * @param options not null
   * @param group of each shard, not null
   * @throws IllegalArgumentException naming the option, its value and what is allowed
   */
  public static void check(FactoryOptions options, GroupOptions group) {
    fitting(Checks.notNull("options", options), Checks.notNull("group", group));
  }

  /** For each shard a key that it has, to ask the shard itself. */
  private static List<String> shardKeys(int shards, ToIntFunction<String> shardOf) {
    return IntStream.range(0, shards)
        .mapToObj(
            shard ->
                IntStream.iterate(0, i -> i + 1)
                    .mapToObj(Integer::toString)
                    .filter(key -> shardOf.applyAsInt(key) == shard)
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  /** What each shard gives its log of changes; 0 for no log. */
  private static long logBytes(FactoryOptions options, ShardOptions shards, long shardBytes) {
    if (options.getChangeLogBytes() == 0) {
      return 0;
    }
    long logBytes = Math.max(1, options.getChangeLogBytes() / shards.getShards());
    if (logBytes >= shardBytes) {
      throw Checks.notAllowed(
          "changeLogBytes",
          options.getChangeLogBytes(),
          "less than "
              + shardBytes * shards.getShards()
              + ", in a replicated factory with as much heap");
    }
    return logBytes;
  }

  private static String address(String name) {
    return "documents-" + name;
  }

  private static FactoryOptions fitting(FactoryOptions options, GroupOptions group) {
    refuse("historyVersions", options.getHistoryVersions(), options.getHistoryVersions() == 0, "0");
    refuse(
        "commitIntervalMs", options.getCommitIntervalMs(), options.getCommitIntervalMs() == 0, "0");
    refuse("persisted", options.isPersisted(), options.isPersisted(), "true");
    refuse(
        "durability",
        options.getDurability(),
        options.getDurability() == Durability.PROCESS,
        "PROCESS: that of the group counts");
    int room = group.getMaxMessageBytes() - MESSAGE_BYTES - 2 * options.getMaxKeyBytes();
    if (room < 2) {
      throw Checks.notAllowed(
          "maxMessageBytes",
          group.getMaxMessageBytes(),
          "more than "
              + (group.getMaxMessageBytes() - room)
              + " with keys of up to "
              + options.getMaxKeyBytes()
              + " bytes");
    }
    return new FactoryOptions(options)
        .setMaxDocumentBytes(Math.min(options.getMaxDocumentBytes(), room));
  }

  private static void refuse(String option, Object value, boolean isAllowed, String allowed) {
    if (!isAllowed) {
      throw Checks.notAllowed(option, value, allowed + ", in a replicated factory");
    }
  }
}
