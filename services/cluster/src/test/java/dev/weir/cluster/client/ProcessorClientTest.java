package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client, and a member that answers as the test demands. */
@Timeout(180)
class ProcessorClientTest {
  private static final int WINDOW = 4;
  private static final int PATIENCE_MS = 300_000;
  private static final long EXPIRY_MS = 600_000;

  /** With one event loop, what the client has written is read in the loop's next turn. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> clientIds = Collections.synchronizedList(new ArrayList<>());
  private volatile NetSocket member;
  private volatile int connections;
  private volatile int credit = 100;

  /** Answers a hello instead of a welcome, unless null. */
  private volatile Buffer greeting;

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void sendsNothingThatIsAWholeWindowAheadOfTheFirstWithoutAReply() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, WINDOW);
    Await.until(() -> "the window is sent", () -> received.size() == WINDOW);

    LongStream.rangeClosed(2, WINDOW).forEach(this::reply);
    Await.until(() -> "three are answered", () -> replies.get(WINDOW - 1).isComplete());
    replies.addAll(send(client, WINDOW - 1));
    settle(client);
    assertThat(received).hasSize(WINDOW);
    reply(1);

    Await.until(() -> "the others follow", () -> received.size() == 2 * WINDOW - 1);
    assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(client.sentAgain()).isZero();
    LongStream.rangeClosed(5, 7).forEach(this::reply);
    Await.until(() -> "all are answered", () -> replies.stream().allMatch(Future::succeeded));
  }

  @Test
  void holdsThemBackOnTheNextConnectionToo() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, WINDOW);
    Await.until(() -> "the window is sent", () -> received.size() == WINDOW);
    LongStream.rangeClosed(2, WINDOW).forEach(this::reply);
    Await.until(() -> "three are answered", () -> replies.get(WINDOW - 1).isComplete());
    replies.addAll(send(client, 2));

    received.clear();
    member.close();
    Await.until(() -> "the first comes again", () -> received.contains(1L));
    send(client, 1);
    settle(client);
    assertThat(received).containsExactly(1L);
    reply(1);
    Await.until(() -> "the others follow", () -> received.size() == 4);
    assertThat(received).containsExactly(1L, 5L, 6L, 7L);
    assertThat(client.sentAgain()).as("the first alone").isEqualTo(1);
  }

  @Test
  void failsWhatTheGroupRefusesBecauseItHasForgottenTheClient() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, 2);
    Await.until(() -> "both are sent", () -> received.size() == 2);

    refuse(1, OfferResult.GAP);
    refuse(2, OfferResult.GAP);

    Await.until(() -> "both have failed", () -> replies.stream().allMatch(Future::failed));
    assertThat(replies.get(0).cause())
        .hasMessage(
            "request 1 was refused: GAP, the group does not know the requests of client 1 before"
                + " it");
    assertThat(client.sentAgain()).isZero();
  }

  @Test
  void sendsAgainWhatWasRefusedBecauseTheOneBeforeItWasNotTaken() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, 2);
    Await.until(() -> "both are sent", () -> received.size() == 2);

    refuse(2, OfferResult.GAP);

    Await.until(() -> "both come again", () -> received.size() == 4);
    assertThat(received).containsExactly(1L, 2L, 1L, 2L);
    LongStream.rangeClosed(1, 2).forEach(this::reply);
    Await.until(() -> "both are answered", () -> replies.stream().allMatch(Future::succeeded));
  }

  @Test
  void sendsNoMoreThanTheGroupGaveCreditFor() throws Exception {
    credit = 2;
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, WINDOW);
    Await.until(() -> "two are sent", () -> received.size() == 2);
    settle(client);
    assertThat(received).containsExactly(1L, 2L);
    reply(1);
    Await.until(() -> "the next follows", () -> received.size() == 3);
    LongStream.rangeClosed(2, 4).forEach(this::reply);
    Await.until(() -> "the rest follows", () -> received.size() == 4);
    LongStream.rangeClosed(2, 4).forEach(this::reply);
    Await.until(() -> "all are answered", () -> replies.stream().allMatch(Future::succeeded));
    assertThat(client.sentAgain()).isZero();
  }

  @Test
  void aBusyGroupDoesNotCostTheConnection() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, 2);
    Await.until(() -> "both are sent", () -> received.size() == 2);
    refuse(1, OfferResult.BUSY);
    refuse(2, OfferResult.GAP);
    Await.until(() -> "both come again", () -> received.size() == 4);
    LongStream.rangeClosed(1, 2).forEach(this::reply);
    Await.until(() -> "all are answered", () -> replies.stream().allMatch(Future::succeeded));
    assertThat(received).containsExactly(1L, 2L, 1L, 2L);
    assertThat(connections).isEqualTo(1);
  }

  @Test
  void aRequestWhoseHandlerThrewFailsWithTheReasonAndTheNextSucceeds() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, 2);
    Await.until(() -> "both are sent", () -> received.size() == 2);
    member.write(
        ClientFrames.answer(OfferResult.REJECTED.ordinal(), 1, 1, 6).appendString("no car"));
    reply(2);
    Await.until(() -> "both have ended", () -> replies.stream().allMatch(Future::isComplete));
    assertThat(replies.get(0).cause())
        .isInstanceOfSatisfying(
            RequestRefusedException.class,
            e -> assertThat(e.result()).isEqualTo(OfferResult.REJECTED))
        .hasMessage("request 1 was refused: REJECTED, no car");
    assertThat(replies.get(1).succeeded()).isTrue();
  }

  @Test
  void aClientWithItsOwnIdThatWasOneTooManyIsTakenWhenThereIsRoom() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> refused = send(client, 2);
    Await.until(() -> "both are sent", () -> received.size() == 2);
    refuse(1, OfferResult.TOO_MANY_CLIENTS);
    Await.until(() -> "the first has failed", () -> refused.get(0).failed());
    Future<Buffer> later = send(client, 1).get(0);
    turn();
    assertThat(received).as("numbers of requests on their way are not used again").hasSize(2);

    refuse(2, OfferResult.GAP);
    Await.until(() -> "the second has failed", () -> refused.get(1).failed());
    assertThat(refused)
        .allSatisfy(
            one ->
                assertThat(((RequestRefusedException) one.cause()).result())
                    .isEqualTo(OfferResult.TOO_MANY_CLIENTS));
    Await.until(() -> "the third is sent", () -> received.size() == 3);
    assertThat(received).containsExactly(1L, 2L, 1L);
    reply(1);
    Await.until(() -> "the third is answered", later::succeeded);
  }

  @Test
  void closingDoesNotWaitForAMemberThatNeverReads() throws Exception {
    NetServer server =
        vertx
            .createNetServer()
            .connectHandler(
                socket -> {
                  connections++;
                  member = socket;
                  socket.pause();
                  socket.write(ClientFrames.welcome(100, 1L << 30, 1 << 20, EXPIRY_MS));
                });
    int port =
        server.listen(0, "localhost").toCompletionStage().toCompletableFuture().get().actualPort();
    ProcessorClient client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setMembers(List.of("localhost:" + port))
                .setWindow(100)
                .setMaxMessageBytes(1 << 20)
                .setSilenceMs(PATIENCE_MS));
    Buffer large = Buffer.buffer(new byte[1 << 20]);
    List<Future<Buffer>> replies = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      replies.add(client.send(large));
    }
    Await.until(() -> "the member has said what it takes", () -> connections == 1);
    turn();
    Future<Void> closed = client.close();
    Await.until(() -> "the client is closed", closed::isComplete);
    assertThat(replies).allSatisfy(reply -> assertThat(reply.failed()).isTrue());
  }

  @Test
  void aForgottenClientIsToldSoByItsOwnCode() throws Exception {
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, 1);
    Await.until(() -> "it is sent", () -> received.size() == 1);
    refuse(1, OfferResult.SESSION_EXPIRED);
    Await.until(() -> "it has failed", () -> replies.get(0).failed());
    assertThat(replies.get(0).cause())
        .hasMessage("request 1 was refused: SESSION_EXPIRED, the group has forgotten client 1");
  }

  @Test
  void aForgottenClientWithARandomIdSendsWhatWasNotHandledUnderANewId() throws Exception {
    ProcessorClient client = client(listen(), ProcessorClientOptions.RANDOM_ID);
    List<Future<Buffer>> replies = send(client, 1);
    Await.until(() -> "it is sent", () -> received.size() == 1);
    long first = clientIds.get(0);
    member.close();
    Await.until(() -> "it comes again", () -> received.size() == 2);
    replies.addAll(send(client, 2));
    Await.until(() -> "the others come", () -> received.size() == 4);
    for (long sequence = 1; sequence <= 3; sequence++) {
      refuse(first, sequence, OfferResult.SESSION_EXPIRED);
    }
    Await.until(() -> "two come under a new id", () -> received.size() == 6);
    long second = clientIds.get(5);
    assertThat(second).isNotEqualTo(first).isEqualTo(client.clientId());
    assertThat(received).containsExactly(1L, 1L, 2L, 3L, 1L, 2L);
    assertThat(replies.get(0).cause())
        .as("it was sent twice, so it may have been handled")
        .isInstanceOfSatisfying(
            RequestRefusedException.class,
            e -> assertThat(e.result()).isEqualTo(OfferResult.SESSION_EXPIRED));
    reply(second, 1);
    reply(second, 2);
    Await.until(() -> "the others succeed", () -> replies.get(2).succeeded());
    assertThat(replies.get(1).succeeded()).isTrue();
  }

  @Test
  void aClientThatIsRefusedTriesTheNextMember() throws Exception {
    greeting = ClientFrames.refused("speaks version 9, allowed is 3");
    ProcessorClient client = client(listen());
    List<Future<Buffer>> replies = send(client, 1);
    Await.until(() -> "it is refused twice", () -> connections >= 2);
    assertThat(received).isEmpty();
    greeting = null;
    Await.until(() -> "it is sent", () -> received.size() == 1);
    reply(1);
    Await.until(() -> "it is answered", () -> replies.get(0).succeeded());
  }

  @Test
  void aMemberThatTakesAConnectionAndSaysNothingIsLeft() throws Exception {
    int port = listen();
    try (ServerSocket stopped = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ProcessorClient client =
          ProcessorClient.create(
              vertx,
              new ProcessorClientOptions()
                  .setMembers(List.of("127.0.0.1:" + stopped.getLocalPort(), "127.0.0.1:" + port))
                  .setClientId(1)
                  .setSilenceMs(PATIENCE_MS));
      List<Future<Buffer>> replies = send(client, 1);
      Await.until("the next member gets the request", () -> !received.isEmpty());
      Await.until(
          "it is answered",
          () -> {
            reply(1);
            return replies.get(0).succeeded();
          });
    }
  }

  /** Until the client has done all that was asked, and the member has read all that it wrote. */
  private void settle(ProcessorClient client) {
    Future<Buffer> tooMany = send(client, 1).get(0);
    Await.until(() -> "the window is full", tooMany::failed);
    turn();
  }

  private void turn() {
    Future<Void> turns = vertx.timer(1).compose(turn -> vertx.timer(1)).mapEmpty();
    Await.until(() -> "the event loop has turned", turns::succeeded);
  }

  private int listen() throws Exception {
    NetServer server = vertx.createNetServer().connectHandler(this::connected);
    return server
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS)
        .actualPort();
  }

  private void connected(NetSocket socket) {
    member = socket;
    connections++;
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
                  received.add(frame.getLong(Long.BYTES));
                  clientIds.add(frame.getLong(0));
                } else {
                  greeted[0] = true;
                  socket.write(
                      greeting != null
                          ? greeting
                          : ClientFrames.welcome(credit, 1 << 20, 100, EXPIRY_MS));
                }
              }

              @Override
              public void onInvalid(int bytes) {}
            }));
  }

  private void reply(long sequence) {
    reply(1, sequence);
  }

  private void reply(long clientId, long sequence) {
    member.write(ClientFrames.answer(ClientFrames.REPLY, clientId, sequence, 0));
  }

  private void refuse(long sequence, OfferResult intake) {
    refuse(1, sequence, intake);
  }

  private void refuse(long clientId, long sequence, OfferResult intake) {
    member.write(ClientFrames.answer(intake.ordinal(), clientId, sequence, 0));
  }

  private ProcessorClient client(int port) {
    return client(port, 1);
  }

  private ProcessorClient client(int port, long clientId) {
    return ProcessorClient.create(
        vertx,
        new ProcessorClientOptions()
            .setMembers(List.of("127.0.0.1:" + port))
            .setClientId(clientId)
            .setWindow(WINDOW)
            // A member that is slow, on a busy machine, must not be left: all would come again.
            .setConnectTimeoutMs(PATIENCE_MS)
            .setSilenceMs(PATIENCE_MS));
  }

  private static List<Future<Buffer>> send(ProcessorClient client, int count) {
    List<Future<Buffer>> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(client.send(Buffer.buffer("request")));
    }
    return replies;
  }
}
