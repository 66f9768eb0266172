package dev.weir.group;

import dev.weir.cluster.GroupOptions;
import dev.weir.flow.ServiceMessage;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
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
  static final String FACTORY = "cars";

  private static final int MEMORY_BYTES = 32 << 20;
  private static final int SNAPSHOT_BYTES = 1 << 20;
  private static final int REPLY_WINDOW = 256;
  private static final FactoryOptions OPTIONS =
      new FactoryOptions().setIndexes(List.of("n")).setChangeLogBytes(24 << 20);
  private static final ShardOptions SPLIT =
      new ShardOptions()
          .setMembers(MoveProcess.FIRST)
          .setShards(MoveProcess.SHARDS)
          .setCopies(MoveProcess.COPIES)
          .setMovePauseMs(100);

  private ReplicatedProcess() {}

  /**
   * Takes commands as a {@link MoveProcess} does, and says what it has of all documents.
   *
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    TestMember member = TestMember.of(args);
    Groups groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    serve(member, groups);
    GroupService service = ReplicatedFactories.service(groups, FACTORY);
    member
        .vertx
        .eventBus()
        .consumer(
            "copies." + args[0],
            asked ->
                copies(member.vertx, service)
                    .onSuccess(asked::reply)
                    .onFailure(failure -> asked.fail(1, failure.getMessage())));
    MoveProcess.operate(member, args[0], service, MoveProcess.COPIES);
  }

  /** Serves the factory on a member. */
  static DocumentFactory serve(TestMember member, Groups groups) {
    Documents documents =
        Futures.result(
            "documents", Documents.open(member.vertx, new DocumentsOptions().setDirectory(null)));
    return Futures.result(
        "the factory",
        ReplicatedFactories.serve(
            groups,
            documents,
            FACTORY,
            OPTIONS,
            new FactoryRules(),
            SPLIT,
            // A busy machine changes no roles; a member that is killed is lost at once. Logs are
            // short, so that a new member gets a copy. Clients that have ended leave few replies.
            new GroupOptions()
                .setMinInSync(2)
                .setLeaseMs(2_000)
                .setTakeoverMs(4_000)
                .setSnapshotBytes(SNAPSHOT_BYTES)
                .setReplyWindow(REPLY_WINDOW),
            MEMORY_BYTES));
  }

  /** The factory from a node that is no member. */
  static RemoteFactory connect(TestMember outside) {
    return ReplicatedFactories.connect(
        outside.vertx, outside.node, FACTORY, OPTIONS, SPLIT, new GroupOptions(), 1 << 20);
  }

  /**
   * What this member has of all documents, as hexadecimal digits; no older than a second. Shards
   * that it does not hold are those of others.
   */
  static Future<String> copies(Vertx vertx, GroupService service) {
    List<Future<Buffer>> pages =
        IntStream.range(0, MoveProcess.SHARDS)
            .mapToObj(shard -> keyOf(service, shard))
            .map(
                key ->
                    vertx
                        .eventBus()
                        .<Buffer>request(
                            service.service().address(),
                            new JsonObject()
                                .put("query", new JsonObject().put("limit", 1_000))
                                .put("counts", false),
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
}
