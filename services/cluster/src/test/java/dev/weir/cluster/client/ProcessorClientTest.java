package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client, and a member that answers as the test demands. */
@Timeout(180)
class ProcessorClientTest {
  private static final int WINDOW = 4;
  private static final int PATIENCE_MS = 300_000;

  /** With one event loop, what the client has written is read in the loop's next turn. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
  private volatile NetSocket member;

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

  /** Until the client has done all that was asked, and the member has read all that it wrote. */
  private void settle(ProcessorClient client) {
    Future<Buffer> tooMany = send(client, 1).get(0);
    Await.until(() -> "the window is full", tooMany::failed);
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
                }
                greeted[0] = true;
              }

              @Override
              public void onInvalid(int bytes) {}
            }));
  }

  private void reply(long sequence) {
    member.write(ClientFrames.answer(ClientFrames.REPLY, 1, sequence, 0));
  }

  private void refuse(long sequence, OfferResult intake) {
    member.write(ClientFrames.answer(intake.ordinal(), 1, sequence, 0));
  }

  private ProcessorClient client(int port) {
    return ProcessorClient.create(
        vertx,
        new ProcessorClientOptions()
            .setMembers(List.of("127.0.0.1:" + port))
            .setClientId(1)
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
