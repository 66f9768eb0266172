package dev.weir.bench.cluster.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.member.BusNode;
import dev.weir.flow.ServiceMessage;
import dev.weir.group.GroupMessage;
import dev.weir.testing.Await;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver of keys notices what it is there for. A consumer takes the place of the service. */
class KeyDriverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int RATE_PER_SEC = 1_000;
  private static final int KEYS = 10;
  private static final int BYTES = 20;
  private static final long HELD_MS = 300;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  // Used on the event loop, and set before there are messages.
  private final Map<String, Long> counts = new HashMap<>();
  private final Set<String> ids = new HashSet<>();
  private long handled;
  private long forgetAt = -1;
  private long doubleAt = -1;
  private long refuseAt = -1;
  private long holdAt = -1;

  @BeforeEach
  void serve() throws Exception {
    BusNode.await(
        vertx.eventBus().<Buffer>consumer(ShardMemberMain.SERVICE, this::handle).completion());
  }

  @AfterEach
  void close() throws Exception {
    BusNode.await(vertx.close());
  }

  private void handle(Message<Buffer> message) {
    String key = message.headers().get(ServiceMessage.KEY);
    if (message.headers().contains(GroupMessage.READ)) {
      message.reply(Buffer.buffer().appendLong(counts.getOrDefault(key, 0L)));
      return;
    }
    boolean isNew = ids.add(message.headers().get(ServiceMessage.MESSAGE_ID));
    if (isNew) {
      handled++;
      counts.merge(key, handled == doubleAt ? 2L : 1L, Long::sum);
    }
    if (isNew && handled == forgetAt) {
      counts.clear();
      counts.put(key, 1L);
    }
    Buffer reply =
        Buffer.buffer().appendLong(counts.get(key)).appendLong(message.body().getLong(0));
    if (isNew && handled == refuseAt) {
      message.fail(1, "refused once");
    } else if (isNew && handled == holdAt) {
      vertx.setTimer(HELD_MS, later -> message.reply(reply));
    } else {
      message.reply(reply);
    }
  }

  private KeyDriver drive(long messages) throws Exception {
    KeyDriver driver = new KeyDriver(vertx, RATE_PER_SEC, KEYS, BYTES);
    try {
      Await.until(() -> "answers: " + driver.counts(), () -> driver.answered() >= messages);
      driver.finish(PATIENCE);
      assertThat(driver.counts().unanswered()).isZero();
      String read = BusNode.await(driver.readAll()).toString();
      assertThat(read.equals("OK"))
          .as("%s, %s", driver.counts(), read)
          .isEqualTo(driver.counts().verdict().isOk());
    } finally {
      driver.close();
    }
    return driver;
  }

  @Test
  void messagesThatAreHandledOnceAreAnswered() throws Exception {
    KeyDriver driver = drive(200);

    assertThat(driver.counts().verdict().isOk()).isTrue();
    assertThat(driver.counts().answered()).isEqualTo(driver.counts().sent());
    assertThat(driver.sentAgain()).isZero();
  }

  @Test
  void messagesThatWereForgottenAfterTheirReplyAreLost() throws Exception {
    forgetAt = 101;

    assertThat(drive(200).counts().lost()).isEqualTo(10);
  }

  @Test
  void aMessageThatIsAppliedTwiceIsFound() throws Exception {
    doubleAt = 50;

    assertThat(drive(200).counts().repeated()).isEqualTo(1);
  }

  @Test
  void aRefusedMessageIsSentAgainUnderItsId() throws Exception {
    refuseAt = 50;

    KeyDriver driver = drive(200);

    assertThat(driver.counts().verdict().isOk()).isTrue();
    assertThat(driver.sentAgain()).isEqualTo(1);
  }

  @Test
  void theWaitOfOneKeyIsFoundWhileTheOthersGoOn() throws Exception {
    holdAt = 50;

    KeyDriver driver = drive(500);

    assertThat(driver.longestWaitMs()).isGreaterThanOrEqualTo(HELD_MS);
  }
}
