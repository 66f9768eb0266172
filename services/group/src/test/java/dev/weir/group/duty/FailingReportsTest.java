package dev.weir.group.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.apply.OutgoingMessage;
import dev.weir.group.apply.PrimaryWork;
import dev.weir.group.wire.GroupCommand;
import dev.weir.group.wire.GroupReply;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages to other services, of a group that does not take what became of them. */
@Timeout(60)
class FailingReportsTest {
  private static final int MAX_MESSAGE_BYTES = 200;
  private static final int REFUSED = 9_999;

  private final Vertx vertx = Vertx.vertx();
  private final Set<Long> waiting = new ConcurrentSkipListSet<>();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicLong firstNs = new AtomicLong();

  @AfterEach
  void close() {
    Futures.result("closed", vertx.close());
  }

  private PrimaryDuty start(int messages, Function<Buffer, Future<Buffer>> group) {
    LongStream.range(0, messages).forEach(waiting::add);
    PrimaryDuty duty =
        new PrimaryDuty(
            vertx,
            from -> {
              reads.incrementAndGet();
              return Future.succeededFuture(new PrimaryWork(null, 0, messages(from)));
            },
            group,
            new MessageSender(vertx, null),
            MAX_MESSAGE_BYTES);
    duty.wake();
    return duty;
  }

  private List<OutgoingMessage> messages(long from) {
    return waiting.stream().filter(number -> number >= from).limit(256).map(this::message).toList();
  }

  private OutgoingMessage message(long number) {
    return new OutgoingMessage(
        number, "id" + number, false, "there", null, Map.of(), new JsonObject());
  }

  private Future<Buffer> take(Buffer command) {
    if (command.length() > MAX_MESSAGE_BYTES) {
      return Future.failedFuture("too large");
    }
    GroupCommand told = GroupCommand.decode(command.getBytes());
    waiting.removeAll(told.sent());
    waiting.remove(told.undelivered());
    return Future.succeededFuture(Buffer.buffer());
  }

  @Test
  void aRefusedMessageThatTheGroupKeepsIsSentAgainAfterPausesThatGrow() {
    vertx
        .eventBus()
        .consumer(
            "there",
            message -> {
              firstNs.compareAndSet(0, System.nanoTime());
              sent.incrementAndGet();
              message.fail(REFUSED, "no");
            });
    PrimaryDuty duty = start(1, command -> Future.failedFuture("it throws"));
    Await.until("it is sent four times", () -> sent.get() >= 4);
    duty.close();
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - firstNs.get()))
        .as("three pauses, from 100 ms on")
        .isGreaterThanOrEqualTo(700);
    assertThat(reads.get()).as("reads of the state").isOne();
  }

  @Test
  void reportsAndReasonsFitIntoMessagesOfTheGroup() {
    vertx
        .eventBus()
        .consumer(
            "there",
            message -> {
              if (sent.incrementAndGet() % 50 == 0) {
                message.fail(REFUSED, "\u00e9\ud83d\ude00".repeat(MAX_MESSAGE_BYTES));
              } else {
                message.reply(null);
              }
            });
    PrimaryDuty duty = start(300, this::take);
    Await.until("all are removed", waiting::isEmpty);
    duty.close();
    assertThat(sent.get()).as("sent").isEqualTo(300);
  }

  @Test
  void aMessageWhoseReplyIsForgottenHasArrived() {
    vertx
        .eventBus()
        .consumer(
            "there",
            message -> {
              sent.incrementAndGet();
              GroupReply forgotten = GroupReply.decode(GroupReply.forgotten());
              message.fail(forgotten.code(), forgotten.reason());
            });
    PrimaryDuty duty = start(3, this::take);
    Await.until("all are removed", waiting::isEmpty);
    duty.close();
    assertThat(sent.get()).as("sent").isEqualTo(3);
  }
}
