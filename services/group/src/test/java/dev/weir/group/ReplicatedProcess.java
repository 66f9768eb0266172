package dev.weir.group;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.flow.ServiceMessage;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A member of a replicated factory of documents as a process of its own. */
final class ReplicatedProcess {
  static final List<String> MEMBERS = List.of("a", "b", "c");
  static final int SHARDS = 6;

  private static final String FACTORY = "cars";
  private static final FactoryOptions OPTIONS = new FactoryOptions().setIndexes(List.of("n"));
  private static final ShardOptions SPLIT =
      new ShardOptions().setMembers(MEMBERS).setShards(SHARDS);

  private static String said;

  private ReplicatedProcess() {}

  /**
   * Says of how many shards it is primary, and in how many of these all members are in sync.
   *
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    TestMember member = TestMember.of(args);
    Groups groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    Documents documents =
        Futures.result(
            "documents", Documents.open(member.vertx, new DocumentsOptions().setDirectory(null)));
    Futures.result(
        "the factory",
        ReplicatedFactories.serve(
            groups,
            documents,
            FACTORY,
            OPTIONS,
            new FactoryRules(),
            SPLIT,
            // A busy machine changes no roles; a member that is killed is lost at once.
            new GroupOptions().setMinInSync(2).setLeaseMs(2_000).setTakeoverMs(4_000),
            16 << 20));
    GroupService service = groups.services().get(0);
    member
        .vertx
        .eventBus()
        .consumer(
            "copies." + args[0],
            asked ->
                copies(member.vertx, service)
                    .onSuccess(asked::reply)
                    .onFailure(failure -> asked.fail(1, failure.getMessage())));
    List<ProcessorGroup> replicas = service.replicas();
    member.vertx.setPeriodic(50, timer -> say(replicas));
    Await.until("the end", Long.MAX_VALUE / 2_000_000_000, () -> false);
  }

  /** The factory from a node that is no member. */
  static RemoteFactory connect(TestMember outside) {
    return ReplicatedFactories.connect(
        outside.vertx, outside.node, FACTORY, OPTIONS, SPLIT, new GroupOptions(), 1 << 20);
  }

  /** What this member has of all documents, as hexadecimal digits; no older than a second. */
  private static Future<String> copies(Vertx vertx, GroupService service) {
    List<Future<Buffer>> pages =
        IntStream.range(0, SHARDS)
            .mapToObj(shard -> keyOf(service, shard))
            .map(
                key ->
                    vertx
                        .eventBus()
                        .<Buffer>request(
                            service.service().address(),
                            new JsonObject().put("query", new JsonObject()).put("counts", false),
                            new DeliveryOptions()
                                .setLocalOnly(true)
                                .addHeader(GroupMessage.READ, "1000")
                                .addHeader(ServiceMessage.KEY, key))
                        .map(reply -> reply.body()))
            .toList();
    return Future.all(pages)
        .map(
            all ->
                pages.stream()
                    .map(page -> HexFormat.of().formatHex(page.result().getBytes()))
                    .collect(Collectors.joining(" ")));
  }

  private static String keyOf(GroupService service, int shard) {
    return IntStream.range(0, Integer.MAX_VALUE)
        .mapToObj(Integer::toString)
        .filter(key -> service.shardOf(key) == shard)
        .findFirst()
        .orElseThrow();
  }

  private static void say(List<ProcessorGroup> replicas) {
    List<ProcessorGroup> led =
        replicas.stream().filter(each -> each.stats().role() == Role.PRIMARY).toList();
    long whole = led.stream().filter(each -> each.stats().inSync() == MEMBERS.size()).count();
    String now = "leads " + led.size() + " whole " + whole;
    if (!now.equals(said)) {
      said = now;
      System.out.println(now);
    }
  }
}
