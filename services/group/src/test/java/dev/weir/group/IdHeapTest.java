package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.options.HeapBudget;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ids and replies that a member with a small heap remembers. */
@Tag("slow")
@Timeout(120)
class IdHeapTest {
  /** So many ids with their replies take twice the heap that there is for them. */
  private static final int MESSAGES = 3_000;

  /** So many ids take twice the heap without their replies too. */
  private static final int MORE = 15_000;

  private static final int REPLY_BYTES = 1_000;
  private static final int AT_ONCE = 100;

  @TempDir private Path directory;

  /** Replies with the number of messages handled, and many bytes more. */
  private static final class LongReplies implements GroupProcessor<Buffer> {
    @Override
    public Object handle(GroupMessage<Buffer> message, GroupState state) {
      Table<Long> counts = state.table("counts", Serde.LONG);
      Long before = counts.get("all");
      long count = before == null ? 1 : before + 1;
      counts.put("all", count);
      return Buffer.buffer().appendLong(count).appendBytes(new byte[REPLY_BYTES]);
    }
  }

  private static Future<Long> send(Vertx vertx, int number) {
    DeliveryOptions named =
        new DeliveryOptions().addHeader(ServiceMessage.MESSAGE_ID, "id " + number);
    return vertx
        .eventBus()
        .<Buffer>request("replies", Buffer.buffer("body"), named)
        .map(reply -> reply.body().getLong(0));
  }

  private static long count(Vertx vertx, int number) {
    return Futures.result("a reply", send(vertx, number));
  }

  private static void sendAll(Vertx vertx, int from, int to) {
    for (int sent = from; sent < to; sent += AT_ONCE) {
      Futures.result(
          "replies",
          Future.all(
              IntStream.range(sent, sent + AT_ONCE)
                  .mapToObj(number -> send(vertx, number))
                  .toList()));
    }
  }

  @Test
  void repliesAndThenIdsAreForgottenBeforeTheyFillTheHeap() {
    List<Integer> ports = FreePorts.find(2);
    try (TestMember member =
        new TestMember("a", ports.get(0), ports.get(1), ports.subList(0, 1), directory)) {
      Vertx vertx = member.vertx;
      WeirOptions small =
          new WeirOptions()
              .setDirectory(directory.resolve("small").toString())
              .setHeapBytes(HeapBudget.MIN_HEAP_BYTES);
      Weir weir = Weir.create(vertx, small);
      Groups groups = Futures.result("groups", Groups.start(vertx, weir, member.node));
      GroupOptions alone = new GroupOptions().setMembers(List.of("a"));
      Service service =
          Futures.result("a group", groups.serveGroup("replies", alone, LongReplies::new))
              .service();

      sendAll(vertx, 0, MESSAGES);
      assertThat(count(vertx, MESSAGES - 1))
          .as("the last reply is remembered")
          .isLessThanOrEqualTo((long) MESSAGES);
      ReplyException forgotten =
          (ReplyException) Futures.failure("a forgotten reply", send(vertx, 0));
      assertThat(forgotten.failureCode()).isEqualTo(FlowFailure.FORGOTTEN.code());
      assertThat(forgotten).hasMessage("message applied before, reply forgotten");
      Futures.result(
          "a durable repeat",
          weir.sendWithId(
              "replies", Buffer.buffer("body"), Durability.PROCESS, new DeliveryOptions(), "id 0"));
      Await.until("it is handled", () -> service.stats().waitingOnDisk() == 0);
      assertThat(service.stats().deadLetters()).as("it needs no reply").isZero();
      assertThat(count(vertx, MESSAGES)).as("neither is applied").isEqualTo(MESSAGES + 1L);

      sendAll(vertx, MESSAGES, MORE);
      assertThat(count(vertx, 0)).as("the first id is forgotten").isEqualTo(MORE + 1L);
      Futures.result("the groups are closed", groups.close());
    }
  }
}
