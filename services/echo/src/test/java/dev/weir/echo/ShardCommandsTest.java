package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.TokenOptions;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupService;
import dev.weir.group.GroupState;
import dev.weir.group.Groups;
import dev.weir.group.ShardOptions;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator moves shards by the commands of a jar, each a process. */
@Tag("slow")
@Timeout(300)
class ShardCommandsTest {
  private static final List<String> NAMES = List.of("a", "b");
  private static final String TOKEN = "operators-token-of-the-test";

  private final List<Integer> ports = FreePorts.find(2 * NAMES.size());
  private final Map<String, ClusterNode> nodes = new TreeMap<>();
  private final Map<String, Vertx> buses = new TreeMap<>();
  private final Map<String, GroupService> services = new TreeMap<>();
  private int port;
  @TempDir private Path directory;

  @BeforeEach
  void start() throws Exception {
    NAMES.forEach(this::start);
    Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    Vertx vertx = buses.get("a");
    Weir weir = Weir.create(vertx);
    Futures.result(
        "the route of operators",
        weir.<JsonObject>serve(
            "counts.members",
            new ServiceOptions().setWorkers(1),
            message -> services.get("a").operate(message.body())));
    port =
        Futures.result(
                "the gateway",
                Gateway.start(
                    vertx,
                    weir,
                    new GatewayOptions()
                        .setPort(0)
                        .setTokens(new TokenOptions().setDataTokensFile(token.toString()))))
            .port();
  }

  private void start(String name) {
    int index = NAMES.indexOf(name);
    ClusterNode node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName(name)
                .setPort(ports.get(index))
                .setClientPort(ports.get(NAMES.size() + index))
                .setJoin(
                    ports.subList(0, NAMES.size()).stream()
                        .map(each -> "127.0.0.1:" + each)
                        .toList())
                .setDirectory(directory.resolve(name).resolve("groups")));
    nodes.put(name, node);
    Vertx vertx =
        Futures.result(
            "a clustered Vert.x",
            Vertx.builder()
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(new HazelcastClusterManager(node.hazelcast()))
                .buildClustered());
    buses.put(name, vertx);
    Weir weir =
        Weir.create(
            vertx,
            new WeirOptions().setDirectory(directory.resolve(name).resolve("weir").toString()));
    Groups groups = Futures.result("groups", Groups.start(vertx, weir, node));
    services.put(
        name,
        Futures.result(
            "the service on " + name,
            groups.serveGroup(
                "counts",
                new ShardOptions().setMembers(NAMES).setShards(2).setCopies(1).setMovePauseMs(0),
                new GroupOptions().setLeaseMs(10_000).setTakeoverMs(20_000),
                new ServiceOptions(),
                () -> (GroupMessage<JsonObject> message, GroupState state) -> null)));
  }

  @AfterEach
  void end() {
    buses.forEach((name, vertx) -> Futures.result("the bus of " + name, vertx.close()));
    nodes.values().forEach(ClusterNode::close);
  }

  /** Runs a command and returns all that it says; its exit code must be this. */
  private List<String> run(int exitCode, String... args) {
    String[] all =
        Stream.concat(
                Stream.of(args),
                Stream.of(
                    "--url=http://127.0.0.1:" + port,
                    "--service=counts.members",
                    "--token-file=" + directory.resolve("token")))
            .toArray(String[]::new);
    try (ChildJvm command = ChildJvm.of(EchoMain.class).mergeErrors().start(all)) {
      assertThat(command.exitCode()).as("%s", command.lines()).isEqualTo(exitCode);
      return command.lines();
    }
  }

  @Test
  void anOperatorSeesAndMovesShardsByTheJar() {
    List<String> names = NAMES;
    Await.until(
        () -> "shards are not placed: " + services.get("a").moveStats(),
        () ->
            services.get("a").moves() == 0
                && services.get("a").members(0).size() == 1
                && services.get("a").members(1).size() == 1);
    List<String> shown = run(0, "shards");
    assertThat(shown.get(0)).startsWith("members a, b; replicas on ");
    assertThat(shown.get(1)).isEqualTo("moves left 0; steps done 0, failed 0");
    String holder = services.get("a").members(0).get(0);
    assertThat(shown).contains("shard 0: " + holder);

    String other = names.get(1 - names.indexOf(holder));
    assertThat(run(0, "move", "--shard=0", "--from=" + holder, "--to=" + other, "--wait-s=60"))
        .contains("shard 0: " + other)
        .anyMatch(line -> line.startsWith("moves left 0; "));

    assertThat(run(1, "move", "--shard=0", "--from=" + holder, "--to=" + other))
        .hasSize(1)
        .allMatch(line -> line.startsWith("echo: refused with 400: "));
    assertThat(run(1, "shards", "--add=x"))
        .containsExactly("echo: refused with 400: x does not serve counts: start it there first");
    assertThat(run(0, "shards", "--remove=" + holder, "--wait-s=60"))
        .contains("shard 0: " + other, "shard 1: " + other)
        .anyMatch(line -> line.startsWith("members " + other + "; "));
  }

  @Test
  void aMistakeOfTheOperatorIsOneLine() {
    assertThat(run(2, "shards", "--add=x", "--remove=y"))
        .containsExactly("echo: --add and --remove are given, allowed is one of them");
    assertThat(run(2, "move", "--shard=0", "--from=a"))
        .containsExactly("echo: Missing required option: '--to=<to>'");
    assertThat(run(2, "shards", "--wait-s=-1"))
        .containsExactly("echo: --wait-s is -1, allowed is 0 to 86400");
    try (ChildJvm command =
        ChildJvm.of(EchoMain.class)
            .mergeErrors()
            .start("shards", "--service=x", "--url=http://127.0.0.1:" + FreePorts.find(1).get(0))) {
      assertThat(command.exitCode()).isEqualTo(1);
      assertThat(command.lines()).hasSize(1);
      assertThat(command.lines().get(0)).startsWith("echo: no member answers at http://127.0.0.1:");
    }
  }
}
