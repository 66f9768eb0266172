package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.cluster.SumProcessor;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of all kinds at the endpoint of a group of one member. */
@Timeout(120)
class ClientEndpointTest {
  private static final int FAILS_AT = -5;

  private final GroupOptions options =
      new GroupOptions()
          .setMembers(List.of("m0"))
          .setPersistence(false)
          .setAckLevel(AckLevel.RECEIVED)
          .setBatchBytes(1 << 10)
          .setMaxBatches(1)
          .setReplyWindow(1 << 10)
          .setMaxMessageBytes(1 << 12)
          .setMaxClients(50);
  private final Vertx vertx = Vertx.vertx();

  /** Held, because a client that nobody holds is closed. */
  private final NetClient sockets = vertx.createNetClient();

  private ProcessorGroup group;
  private int port;
  private ServedGroup served;

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @BeforeEach
  void start() {
    ClientEndpoint endpoint = new ClientEndpoint(vertx);
    group =
        GroupBuilder.alone(options, null)
            .processor(new SumProcessor(FAILS_AT))
            .replies(endpoint.replies(options.getName()))
            .start();
    Await.until("it accepts", () -> group.stats().accepting());
    endpoint.serve(group);
    served = (ServedGroup) endpoint.replies(options.getName());
    port = await(endpoint.listen("127.0.0.1", 0));
  }

  @AfterEach
  void close() {
    group.close();
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private ProcessorClient client(int window) {
    return ProcessorClient.create(
        vertx,
        new ProcessorClientOptions()
            .setMembers(List.of("127.0.0.1:" + port))
            .setWindow(window)
            .setSilenceMs(60_000));
  }

  private static Buffer number(long number) {
    return Buffer.buffer().appendLong(number);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 1000, 65_536})
  void noRequestIsSentAgainWithoutAFaultAtAnyWindow(int window) {
    ProcessorClient client = client(window);
    int requests = Math.min(window, 500) + 2 * window;
    AtomicInteger answered = new AtomicInteger();
    AtomicInteger sent = new AtomicInteger();
    List<Throwable> failures = new ArrayList<>();
    Runnable[] next = new Runnable[1];
    next[0] =
        () -> {
          if (sent.getAndIncrement() < requests) {
            client
                .send(number(1))
                .onFailure(failures::add)
                .onComplete(
                    done -> {
                      answered.incrementAndGet();
                      next[0].run();
                    });
          }
        };
    for (int i = 0; i < window; i++) {
      next[0].run();
    }
    Await.until(() -> "all are answered: " + answered, () -> answered.get() == requests);
    assertThat(failures).isEmpty();
    assertThat(client.sentAgain()).isZero();
    assertThat(await(client.send(number(0))).getLong(0)).isEqualTo(requests);
  }

  @Test
  void theGroupKeepsFewRepliesThatAClientHas() {
    ProcessorClient client = client(8);
    sendOneByOne(client, 1000);
    assertThat(group.stats().clients()).isEqualTo(1);
    // Of all 1,000 it would keep twice as much for their places alone.
    assertThat(group.stats().replyBytes()).isLessThan(4500);
  }

  @Test
  void theRepliesOfAClientThatMayBeStartedAgainAreKept() {
    ProcessorClientOptions own =
        new ProcessorClientOptions()
            .setMembers(List.of("127.0.0.1:" + port))
            .setSilenceMs(60_000)
            .setClientId(5);
    ProcessorClient first = ProcessorClient.create(vertx, own);
    sendOneByOne(first, 300);
    await(first.close());
    ProcessorClient again = ProcessorClient.create(vertx, own.setFirstSequence(200));
    assertThat(await(again.send(number(1))).getLong(0)).isEqualTo(200);
  }

  private static void sendOneByOne(ProcessorClient client, int requests) {
    for (int i = 0; i < requests; i++) {
      await(client.send(number(1)));
    }
  }

  @Test
  void clientsThatTogetherExceedTheRoomOfTheGroupSendNothingAgain() {
    List<ProcessorClient> clients = new ArrayList<>();
    List<Future<Buffer>> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(client(1000));
    }
    for (int request = 0; request < 1000; request++) {
      clients.forEach(client -> replies.add(client.send(number(1))));
    }
    Await.until("all are answered", () -> replies.stream().allMatch(Future::isComplete));
    assertThat(replies).allMatch(Future::succeeded);
    assertThat(clients).allMatch(client -> client.sentAgain() == 0);
    assertThat(await(clients.get(0).send(number(0))).getLong(0)).isEqualTo(20_000);
  }

  @Test
  void aMessageWhoseHandlerThrowsFailsAloneAndOtherClientsGoOn() {
    ProcessorClient bad = client(8);
    ProcessorClient good = client(8);
    Future<Buffer> failed = bad.send(number(FAILS_AT));
    Future<Buffer> next = bad.send(number(3));
    Await.until("both end", () -> failed.isComplete() && next.isComplete());
    assertThat(failed.cause())
        .isInstanceOfSatisfying(
            RequestRefusedException.class,
            e -> assertThat(e.result()).isEqualTo(OfferResult.REJECTED));
    assertThat(next.result().getLong(0)).isEqualTo(3);
    assertThat(await(good.send(number(4))).getLong(0)).isEqualTo(7);
  }

  @Test
  void aClientTooManyIsToldSoAndTheOthersAreKept() {
    List<ProcessorClient> clients = new ArrayList<>();
    for (int i = 0; i < options.getMaxClients(); i++) {
      clients.add(client(8));
      await(clients.get(i).send(number(1)));
    }
    Future<Buffer> tooMany = client(8).send(number(1));
    Await.until("it is refused", tooMany::failed);
    assertThat(tooMany.cause()).hasMessage("the group has as many clients as it allows");
    assertThat(await(clients.get(0).send(number(0))).getLong(0)).isEqualTo(50);
  }

  @Test
  void aRequestThatIsTooLargeFailsAlone() {
    ProcessorClient client = client(8);
    Future<Buffer> tooLarge = client.send(Buffer.buffer(new byte[(1 << 12) + 1]));
    Await.until("it fails", tooLarge::failed);
    assertThat(tooLarge.cause()).hasMessage("body has 4097 bytes, the group allows 4096");
    assertThat(await(client.send(number(2))).getLong(0)).isEqualTo(2);
  }

  /** Connects, sends some bytes, and returns what the member answers until it closes. */
  private Buffer answers(Buffer sent) {
    NetSocket socket = await(sockets.connect(port, "127.0.0.1"));
    Buffer received = Buffer.buffer();
    boolean[] closed = {false};
    socket.handler(received::appendBuffer);
    socket.closeHandler(v -> closed[0] = true);
    socket.write(sent);
    Await.until("the member closes", () -> closed[0]);
    return received;
  }

  private static Buffer hello(int magic, int version, String group) {
    return Buffer.buffer()
        .appendInt(8 + group.length())
        .appendInt(magic)
        .appendInt(version)
        .appendString(group);
  }

  @Test
  void whoeverSpeaksSomethingElseIsToldSo() {
    String name = options.getName();
    assertThat(answers(hello(ClientFrames.MAGIC, 1, name)).toString())
        .endsWith("the client speaks version 1, allowed is 3");
    assertThat(answers(hello(0x47455420, ClientFrames.VERSION, name)).toString())
        .endsWith("the client does not speak the protocol of Weir");
    assertThat(answers(hello(ClientFrames.MAGIC, ClientFrames.VERSION, "other")).toString())
        .endsWith("the client asks for the group other, which does not run here");
    assertThat(answers(Buffer.buffer("GET / HTTP/1.1\r\n\r\n")).toString())
        .endsWith("allowed is 8 to 256");
    assertThat(answers(ClientFrames.hello(name).appendInt(-1)).toString())
        .endsWith("the client sent a frame of -1 bytes, allowed is 16 to 4112");
    assertThat(await(client(1).send(number(1))).getLong(0)).isEqualTo(1);
  }

  @Test
  void aConnectionThatMakesUpClientsLeavesNoneBehind() {
    Buffer sent = ClientFrames.hello(options.getName());
    int madeUp = 1000;
    for (long id = 1; id <= madeUp; id++) {
      ClientFrames.appendRequest(sent, id, 5, number(1));
    }
    ClientFrames.appendRequest(sent, madeUp + 1, 1, number(1));
    NetSocket socket = await(sockets.connect(port, "127.0.0.1"));
    Buffer received = Buffer.buffer();
    socket.handler(received::appendBuffer);
    socket.write(sent);
    int gapBytes = Integer.BYTES + ClientFrames.ANSWER_HEADER_BYTES;
    Await.until("all are answered", () -> received.length() > (madeUp + 2) * gapBytes);
    assertThat(served.clients()).as("the one whose request is taken").isEqualTo(1);
    await(socket.close());
  }

  @Test
  void whatIsLeftOfAnEarlierConnectionTakesNoRepliesFromTheLater() {
    Buffer earlier = Buffer.buffer();
    NetSocket left = greeted(earlier);
    Buffer later = Buffer.buffer();
    NetSocket used = greeted(later);
    int greeting = later.length();
    int reply = Integer.BYTES + ClientFrames.ANSWER_HEADER_BYTES + Long.BYTES;
    used.write(request(7, 1));
    Await.until("the first reply", () -> later.length() == greeting + reply);

    left.write(request(7, 5));
    Await.until("a gap is refused", () -> earlier.length() > greeting);
    used.write(request(7, 2));

    Await.until("the second reply", () -> later.length() == greeting + 2 * reply);
    await(left.close());
    await(used.close());
  }

  private static Buffer request(long clientId, long sequence) {
    Buffer request = Buffer.buffer();
    ClientFrames.appendRequest(request, clientId, sequence, number(1));
    return request;
  }

  private NetSocket greeted(Buffer received) {
    NetSocket socket = await(sockets.connect(port, "127.0.0.1"));
    socket.handler(received::appendBuffer);
    socket.write(ClientFrames.hello(options.getName()));
    Await.until("the member greets", () -> received.length() > 0);
    return socket;
  }

  @Test
  void halfFramesAndClientsThatGoAwayHarmNobody() {
    Buffer half = ClientFrames.hello(options.getName()).appendInt(100).appendLong(1);
    for (int i = 0; i < 100; i++) {
      NetSocket socket = await(sockets.connect(port, "127.0.0.1"));
      await(socket.write(half.getBuffer(0, i % half.length())));
      await(socket.close());
    }
    assertThat(await(client(1).send(number(1))).getLong(0)).isEqualTo(1);
  }

  @Test
  void aClientThatDoesNotReadItsAnswersIsNotReadEither() throws IOException {
    Buffer request = Buffer.buffer();
    ClientFrames.appendRequest(request, 9, 1, number(1));
    // Sent again and again; each is answered by the stored reply.
    ByteBuffer many = ByteBuffer.allocate(1000 * request.length());
    while (many.hasRemaining()) {
      many.put(request.getBytes());
    }
    try (SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port))) {
      channel.write(ByteBuffer.wrap(ClientFrames.hello(options.getName()).getBytes()));
      channel.configureBlocking(false);
      many.flip();
      int[] refusals = {0};
      Await.until(
          () -> "the member stops to read: " + group.stats(),
          () -> {
            if (!many.hasRemaining()) {
              many.rewind();
            }
            refusals[0] = writes(channel, many) ? 0 : refusals[0] + 1;
            // One that was not scheduled yet does not read either.
            return refusals[0] > 100 && group.stats().answeredAgain() > 0;
          });
      assertThat(group.stats().answeredAgain()).isLessThanOrEqualTo(2_000_000);
      assertThat(await(client(1).send(number(1))).getLong(0)).isEqualTo(2);
    }
  }

  private static boolean writes(SocketChannel channel, ByteBuffer bytes) {
    try {
      return channel.write(bytes) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
