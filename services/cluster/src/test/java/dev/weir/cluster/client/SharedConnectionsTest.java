package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.HostPort;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.SumProcessor;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of many groups, which share a connection to each member. */
@Timeout(120)
class SharedConnectionsTest {
  private static final int GROUPS = 20;

  @TempDir private Path directory;

  private final Vertx vertx = Vertx.vertx();

  /** Held, because a client that nobody holds is closed. */
  private final NetClient sockets = vertx.createNetClient();

  private final List<ProcessorGroup> groups = new ArrayList<>();
  private final List<NetSocket> connections = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @AfterEach
  void close() {
    groups.forEach(ProcessorGroup::close);
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A member of all groups; returns its port. */
  private int member(NodeOptions node) {
    ClientEndpoint endpoint = new ClientEndpoint(vertx, node.setMemberName("m0"));
    for (int i = 0; i < GROUPS; i++) {
      GroupOptions options =
          new GroupOptions()
              .setName("g" + i)
              .setMembers(List.of("m0"))
              .setPersistence(false)
              .setAckLevel(AckLevel.RECEIVED);
      ProcessorGroup group =
          GroupBuilder.alone(options, null)
              .processor(new SumProcessor(Long.MIN_VALUE))
              .replies(endpoint.replies(options.getName()))
              .start();
      groups.add(group);
      Await.until("it accepts", () -> group.stats().accepting());
      endpoint.serve(group);
    }
    return await(endpoint.listen("127.0.0.1", 0));
  }

  /** Passes connections on to a member, and counts them. */
  private int counted(int port) {
    return await(
            vertx
                .createNetServer()
                .connectHandler(
                    socket -> {
                      connections.add(socket);
                      socket.pause();
                      sockets
                          .connect(port, "127.0.0.1")
                          .onSuccess(
                              there -> {
                                there.pipeTo(socket);
                                socket.pipeTo(there);
                              });
                    })
                .listen(0, "127.0.0.1"))
        .actualPort();
  }

  /**
   * A member that is slow, on a busy machine, must not be left: there would be a connection more.
   */
  private static ProcessorClientOptions patient() {
    return new ProcessorClientOptions().setConnectTimeoutMs(60_000).setSilenceMs(60_000);
  }

  private Map<String, ProcessorClient> clients(ProcessorClientOptions options, int... ports) {
    List<HostPort> members = new ArrayList<>();
    for (int port : ports) {
      members.add(new HostPort("127.0.0.1", port));
    }
    Map<String, Supplier<List<HostPort>>> of = new LinkedHashMap<>();
    for (int i = 0; i < GROUPS; i++) {
      of.put("g" + i, () -> members);
    }
    return ProcessorClient.createAll(vertx, options, of);
  }

  private static List<Long> sums(Collection<ProcessorClient> clients, int each) {
    return sums(clients, each, () -> {});
  }

  /**
   * Sends numbers to all groups at once; returns the last replies in the order of the groups.
   *
   * @param sent called when all are sent
   */
  private static List<Long> sums(Collection<ProcessorClient> clients, int each, Runnable sent) {
    List<Future<Buffer>> last = new ArrayList<>();
    clients.forEach(client -> last.add(null));
    for (int request = 0; request < each; request++) {
      int group = 0;
      for (ProcessorClient client : clients) {
        Buffer number = Buffer.buffer().appendLong(group + 1);
        last.set(group++, client.send(number));
      }
    }
    sent.run();
    return last.stream().map(reply -> await(reply).getLong(0)).toList();
  }

  private static List<Long> expected(long each) {
    List<Long> sums = new ArrayList<>();
    for (long group = 1; group <= GROUPS; group++) {
      sums.add(group * each);
    }
    return sums;
  }

  @Test
  void manyGroupsHaveOneConnectionUntilTheLastClientCloses() {
    Map<String, ProcessorClient> clients = clients(patient(), counted(member(new NodeOptions())));

    assertThat(sums(clients.values(), 100)).isEqualTo(expected(100));

    assertThat(connections).hasSize(1);
    assertThat(clients.values()).allMatch(client -> client.sentAgain() == 0);
    boolean[] closed = {false};
    connections.get(0).closeHandler(v -> closed[0] = true);
    List<ProcessorClient> all = List.copyOf(clients.values());
    all.subList(1, GROUPS).forEach(client -> await(client.close()));
    assertThat(await(all.get(0).send(Buffer.buffer().appendLong(0))).getLong(0)).isEqualTo(100);
    assertThat(closed[0]).isFalse();
    assertThat(connections).hasSize(1);
    await(all.get(0).close());
    Await.until("the connection is closed", () -> closed[0]);
  }

  @Test
  void aLostConnectionIsMadeAgainAndNothingIsHandledTwice() {
    Map<String, ProcessorClient> clients = clients(patient(), counted(member(new NodeOptions())));
    assertThat(sums(clients.values(), 10)).isEqualTo(expected(10));

    List<Long> sums = sums(clients.values(), 1_000, () -> connections.get(0).close());

    assertThat(sums).isEqualTo(expected(1_010));
    assertThat(connections).hasSize(2);
  }

  @Test
  void aMemberThatTakesTheConnectionAndSaysNothingIsLeftByAll() throws Exception {
    int port = member(new NodeOptions());
    try (ServerSocket stopped = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Map<String, ProcessorClient> clients =
          clients(new ProcessorClientOptions(), stopped.getLocalPort(), counted(port));
      assertThat(sums(clients.values(), 10)).isEqualTo(expected(10));
    }
  }

  @Test
  void whoKnowsTheSecretSharesAConnection() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "a secret of some length, 1");
    int port = member(new NodeOptions().setSecretFile(secret));
    Map<String, ProcessorClient> clients = clients(patient().setSecretFile(secret), counted(port));
    assertThat(sums(clients.values(), 10)).isEqualTo(expected(10));
    assertThat(connections).hasSize(1);
  }

  @Test
  void aMemberOfAnEarlierVersionGetsAConnectionOfEachClient() {
    int port =
        await(vertx.createNetServer().connectHandler(this::serveAsBefore).listen(0)).actualPort();
    Map<String, ProcessorClient> clients = clients(patient(), port);
    assertThat(sums(clients.values(), 10)).hasSize(GROUPS).containsOnly(7L);
    assertThat(connections).hasSize(GROUPS);
  }

  @Test
  void aBodyThatIsLargerThanAPartArrivesWhole() {
    Map<String, ProcessorClient> clients = clients(patient(), member(new NodeOptions()));
    Buffer large = Buffer.buffer().appendLong(5).appendBytes(new byte[(64 << 10) - Long.BYTES]);
    for (ProcessorClient client : clients.values()) {
      assertThat(await(client.send(large)).getLong(0)).isEqualTo(5);
    }
  }

  @Test
  void aHandlerThatThrowsHoldsUpNoOtherClient() {
    Map<String, ProcessorClient> clients = clients(patient(), member(new NodeOptions()));
    sums(clients.values(), 1);
    ProcessorClient first = clients.values().iterator().next();
    // Not on this thread, which would throw if the reply came before the handler is set.
    Promise<Void> set = Promise.promise();
    set.future()
        .compose(now -> first.send(Buffer.buffer().appendLong(1)))
        .onSuccess(
            reply -> {
              throw new IllegalStateException("as the test demands");
            });
    vertx.runOnContext(ready -> set.complete());
    assertThat(sums(List.copyOf(clients.values()).subList(1, GROUPS), 10))
        .isEqualTo(expectedFrom(2));
  }

  private static List<Long> expectedFrom(int group) {
    List<Long> sums = new ArrayList<>();
    for (long each = group; each <= GROUPS; each++) {
      sums.add(each + 10 * (each - group + 1));
    }
    return sums;
  }

  /** A member that knows no shared connections, and answers each request with 7. */
  private void serveAsBefore(NetSocket socket) {
    boolean[] greeted = {false};
    socket.handler(
        ClientFrames.parser(
            new ClientFrames.Sink() {
              @Override
              public int minBytes() {
                return 0;
              }

              @Override
              public int maxBytes() {
                return Integer.MAX_VALUE;
              }

              @Override
              public void onFrame(Buffer frame) {
                if (greeted[0]) {
                  socket.write(
                      ClientFrames.answer(ClientFrames.REPLY, frame.getLong(0), frame.getLong(8), 8)
                          .appendLong(7));
                } else if (frame.length() == 2 * Integer.BYTES) {
                  socket.write(
                      ClientFrames.refused("asks for the group , which does not run here"));
                  socket.close();
                } else {
                  greeted[0] = true;
                  connections.add(socket);
                  Buffer welcome = ClientFrames.welcome(100, 1 << 20, 1 << 20, 60_000);
                  socket.write(welcome.setLong(Integer.BYTES + 1, 0));
                }
              }

              @Override
              public void onInvalid(int bytes) {}
            }));
  }
}
