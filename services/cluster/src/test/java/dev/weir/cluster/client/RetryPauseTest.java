package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.QuietLog;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often a client tries to reach members that are gone. */
@Timeout(60)
class RetryPauseTest {
  private static final int RETRY_MS = 20;
  private static final int SENDS = 500;
  private static final int LONG_RETRY_MS = 600_000;

  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void aPauseIsAnEighthOfTheTimeOfFailure() {
    assertThat(RetryPause.lengthMs(0, RETRY_MS)).isEqualTo(1);
    assertThat(RetryPause.lengthMs(80, RETRY_MS)).isEqualTo(10);
    assertThat(RetryPause.lengthMs(10_000, RETRY_MS)).isEqualTo(RETRY_MS);
    assertThat(RetryPause.lengthMs(10_000, 1)).isEqualTo(1);
  }

  @Test
  void theFirstFailureAfterARestPausesShortly() throws Exception {
    pausesShortlyAfter(RetryPause::idle);
  }

  @Test
  void theFirstFailureAfterASuccessPausesShortly() throws Exception {
    pausesShortlyAfter(RetryPause::succeeded);
  }

  /** The pause after two hours of failure would outlast the test. */
  private void pausesShortlyAfter(Consumer<RetryPause> end) throws Exception {
    AtomicLong nowNs = new AtomicLong();
    RetryPause pause = new RetryPause(vertx, LONG_RETRY_MS, nowNs::get);
    attemptAfter(pause);
    nowNs.addAndGet(TimeUnit.HOURS.toNanos(2));
    end.accept(pause);
    attemptAfter(pause);
  }

  private static void attemptAfter(RetryPause pause) throws Exception {
    CompletableFuture<Void> attempt = new CompletableFuture<>();
    pause.begin(() -> attempt.complete(null));
    attempt.get(30, TimeUnit.SECONDS);
  }

  @Test
  void requestsThatAreSentMeanwhileCauseNoAttempts() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    int port =
        vertx
            .createNetServer()
            .connectHandler(
                (NetSocket socket) -> {
                  attempts.incrementAndGet();
                  socket.close();
                })
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS)
            .actualPort();
    ProcessorClient client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setMembers(List.of("127.0.0.1:" + port))
                .setWindow(SENDS)
                .setRetryMs(RETRY_MS));
    long startNs = System.nanoTime();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    AtomicInteger sends = new AtomicInteger();
    vertx.setPeriodic(
        1,
        timer -> {
          client.send(Buffer.buffer("request"));
          if (sends.incrementAndGet() == SENDS) {
            vertx.cancelTimer(timer);
            sent.complete(null);
          }
        });
    sent.get(30, TimeUnit.SECONDS);
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    // 8 pauses of 1 ms, some 27 that grow until 160 ms have passed, then one each 20 ms.
    assertThat((long) attempts.get()).isBetween(2L, 50 + tookMs / RETRY_MS);
  }
}
