package dev.weir.bench.cluster.shards;

import dev.weir.bench.Preheat;
import dev.weir.bench.cluster.child.JvmDefaults;
import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.bench.cluster.member.BusNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Role;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.group.GroupService;
import dev.weir.group.Groups;
import dev.weir.group.ShardOptions;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A member of the sharded service {@link KeyCounter}, as a process of its own. It runs until
 * SIGTERM or until its parent has ended. Its class is also run with the libraries of an earlier
 * build, so it uses few of their methods.
 */
public final class ShardMemberMain {
  /** Address of the service. */
  static final String SERVICE = "counters";

  /** Address of a plain consumer on each member, which replies with the number of the message. */
  static final String PLAIN = "plain";

  /** Argument: names of the members with which the service begins. */
  static final String FIRST = "first";

  static final String SHARDS = "shards";
  static final String MOVE_PAUSE_MS = "move-pause-ms";
  static final String COPIES = "copies";
  static final String MIN_IN_SYNC = "min-in-sync";

  /** In an answer: for how many shards the member is primary with all copies in sync. */
  static final String WHOLE = "whole";

  /** In an answer: how long the JIT compilers of the member have worked. */
  static final String COMPILED_MS = "compiledMs";

  private static final int EVENT_LOOPS = 2;

  private ShardMemberMain() {}

  /**
   * Where a member takes the commands of {@link GroupService#operate}. It answers as that does, and
   * with {@value #WHOLE} and {@value #COMPILED_MS}.
   */
  static String control(String member) {
    return "control." + member;
  }

  /** Takes the arguments of {@code processor run} that a cluster of processes gives, and more. */
  public static void main(String[] args) throws Exception {
    JvmDefaults.apply();
    ParentWatch.start();
    Map<String, String> given =
        Arrays.stream(args)
            .filter(arg -> arg.startsWith("--"))
            .map(arg -> arg.substring(2).split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    Path data = Path.of(given.get("data"));
    BusNode node = new BusNode(options(given, data.resolve("groups")), EVENT_LOOPS);
    Weir weir =
        Weir.create(node.vertx(), new WeirOptions().setDirectory(data.resolve("weir").toString()));
    Groups groups = BusNode.await(Groups.start(node.vertx(), weir, node.cluster()));
    GroupService counters = BusNode.await(serve(groups, given));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(groups, node)));
    listen(node, given.get("name"), counters, Integer.parseInt(given.get(COPIES)));
    Thread.currentThread().join();
  }

  private static NodeOptions options(Map<String, String> given, Path directory) {
    return new NodeOptions()
        .setMemberName(given.get("name"))
        .setHost(given.get("host"))
        .setPort(Integer.parseInt(given.get("port")))
        .setReplicationPort(Integer.parseInt(given.get("replication-port")))
        .setClientPort(Integer.parseInt(given.get("client-port")))
        .setJoin(List.of(given.get("join").split(",")))
        .setDirectory(directory);
  }

  private static Future<GroupService> serve(Groups groups, Map<String, String> given) {
    return groups.serveGroup(
        SERVICE,
        new ShardOptions()
            .setMembers(List.of(given.get(FIRST).split(",")))
            .setShards(Integer.parseInt(given.get(SHARDS)))
            .setCopies(Integer.parseInt(given.get(COPIES)))
            .setMovePauseMs(Integer.parseInt(given.get(MOVE_PAUSE_MS))),
        new GroupOptions().setMinInSync(Integer.parseInt(given.get(MIN_IN_SYNC))),
        new ServiceOptions(),
        KeyCounter::new);
  }

  private static void listen(BusNode node, String name, GroupService counters, int copies)
      throws Exception {
    BusNode.await(
        node.vertx()
            .eventBus()
            .<JsonObject>consumer(
                control(name),
                message ->
                    counters
                        .operate(message.body())
                        .map(status -> status.put(WHOLE, whole(counters, copies)))
                        .map(status -> status.put(COMPILED_MS, (int) Preheat.compiledMs()))
                        .onSuccess(message::reply)
                        .onFailure(failure -> message.fail(1, String.valueOf(failure))))
            .completion());
    BusNode.await(
        node.vertx()
            .eventBus()
            .<Buffer>consumer(
                PLAIN,
                message ->
                    message.reply(
                        Buffer.buffer(KeyCounter.REPLY_BYTES)
                            .appendLong(0)
                            .appendLong(message.body().getLong(0))))
            .completion());
  }

  private static long whole(GroupService counters, int copies) {
    return counters.replicas().stream()
        .map(each -> each.stats())
        .filter((GroupStats each) -> each.role() == Role.PRIMARY && each.inSync() == copies)
        .count();
  }

  /** Hands the roles over, then ends with exit code 0. */
  private static void end(Groups groups, BusNode node) {
    int exitCode = 1;
    try {
      BusNode.await(groups.close());
      node.close();
      exitCode = 0;
    } catch (Exception e) {
      System.out.println("the member did not close: " + e);
    } finally {
      Runtime.getRuntime().halt(exitCode);
    }
  }
}
