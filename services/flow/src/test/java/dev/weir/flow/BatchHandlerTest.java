package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchHandlerTest extends FlowTestBase {
  private final List<List<Object>> batches = new CopyOnWriteArrayList<>();
  private Promise<List<?>> done = Promise.promise();
  private volatile Context eventLoop;

  private <T> Service serveBatches(
      Weir weir, ServiceOptions options, int maxMessages, BatchHandler<T> handler) {
    return Futures.result("serving", weir.serveBatches("rows", options, maxMessages, handler));
  }

  private Future<List<?>> hold(List<ServiceMessage<Object>> messages) {
    eventLoop = Vertx.currentContext();
    batches.add(bodies(messages));
    return done.future();
  }

  private static <T> List<Object> bodies(List<ServiceMessage<T>> messages) {
    List<Object> bodies = new ArrayList<>();
    messages.forEach(message -> bodies.add(message.body()));
    return bodies;
  }

  private List<Future<Message<Object>>> ask(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> vertx.eventBus().<Object>request("rows", i))
        .toList();
  }

  @Test
  void whatArrivesDuringABatchIsTheNextOneAndEachRequestGetsItsReply() {
    Service service = serveBatches(weir(), memoryOnly().setWorkers(4), 4, this::hold);
    Future<Message<Object>> first = ask(1).get(0);
    Await.until("one alone is a batch", () -> batches.size() == 1);
    List<Future<Message<Object>>> more = ask(7);
    Await.until(
        "the other workers are busy", () -> batches.stream().mapToInt(List::size).sum() == 4);
    Await.until("the others wait", () -> service.stats().waitingInMemory() == 4);
    Promise<List<?>> held = done;
    done = Promise.promise();
    // Both batches end in one turn, or the next messages may start in two.
    eventLoop.runOnContext(turn -> held.fail("held back"));
    assertThat(Futures.failure("the first", first)).hasMessageContaining("held back");
    Await.until("all have started", () -> batches.stream().mapToInt(List::size).sum() == 8);
    assertThat(batches.get(batches.size() - 1)).containsExactly(3, 4, 5, 6);
    done.complete(List.of("three", "four", "five", "six"));
    assertThat(Futures.result("the last", more.get(6)).body()).isEqualTo("six");
    assertThat(Futures.result("the fourth", more.get(3)).body()).isEqualTo("three");
  }

  @Test
  void noBatchHasMoreMessagesThanAllowed() {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    serveBatches(
        weir(),
        memoryOnly(),
        3,
        messages -> {
          sizes.add(messages.size());
          return Future.succeededFuture();
        });
    Futures.result("all are answered", Future.all(ask(100)));
    assertThat(sizes).allMatch(size -> size >= 1 && size <= 3);
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
  }

  @Test
  void batchesThatAreDoneAtOnceDoNotNest() {
    Service service =
        serveBatches(
            weir(),
            memoryOnly().setMemoryMessages(50_000).setWorkers(2),
            1,
            messages -> Future.succeededFuture());
    Futures.result("paused", service.pause());
    List<Future<Message<Object>>> asked = ask(50_000);
    Futures.result("resumed", service.resume());
    Futures.result("all are answered", Future.all(asked));
  }

  @Test
  void aMessageMayFailAloneAndADurableOneIsTriedAgainAlone() {
    List<Object> handled = new CopyOnWriteArrayList<>();
    AtomicInteger failures = new AtomicInteger();
    Weir weir = weir();
    Service service =
        serveBatches(
            weir,
            new ServiceOptions().setBackoffMs(10),
            10,
            (List<ServiceMessage<String>> messages) -> {
              List<Object> replies = new ArrayList<>();
              for (ServiceMessage<String> message : messages) {
                if (message.body().equals("b") && failures.getAndIncrement() == 0) {
                  replies.add(new IllegalStateException("not yet"));
                } else {
                  handled.add(message.body());
                  replies.add("done");
                }
              }
              return Future.succeededFuture(replies);
            });
    Futures.result(
        "sent",
        Future.all(
            weir.send("rows", "a", Durability.PROCESS),
            weir.send("rows", "b", Durability.PROCESS),
            weir.send("rows", "c", Durability.PROCESS)));
    Await.until("all are completed", () -> service.stats().completed() == 3);
    assertThat(handled).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(service.stats().retried()).isEqualTo(1);
  }

  @Test
  void aHandlerThatThrowsOrReturnsNothingOrTooFewRepliesFailsItsMessages() {
    AtomicInteger calls = new AtomicInteger();
    serveBatches(
        weir(),
        memoryOnly(),
        10,
        messages -> {
          switch (calls.getAndIncrement()) {
            case 0:
              throw new IllegalArgumentException("thrown");
            case 1:
              return null;
            case 2:
              return Future.succeededFuture(
                  new AbstractList<>() {
                    @Override
                    public Object get(int index) {
                      throw new IllegalStateException("no such row");
                    }

                    @Override
                    public int size() {
                      return 1;
                    }
                  });
            default:
              return Future.succeededFuture(List.of("one", "too many"));
          }
        });
    for (String text :
        List.of("thrown", "no future", "no such row", "the handler gave 2 replies to 1 messages")) {
      Throwable failure = Futures.failure("refused", ask(1).get(0));
      assertFailure(failure, FlowFailure.HANDLER_FAILED);
      assertThat(failure).hasMessageContaining(text);
    }
  }

  @Test
  void aBadOptionIsRefused() {
    Weir weir = weir();
    assertThat(
            Futures.failure(
                "no messages", weir.serveBatches("rows", new ServiceOptions(), 0, this::hold)))
        .hasMessage("maxMessages is 0, allowed is 1 to 2147483647");
    assertThat(
            Futures.failure(
                "on workers",
                weir.serveBatches(
                    "rows", new ServiceOptions().setRunOn(RunOn.WORKER), 1, this::hold)))
        .hasMessage("runOn is WORKER, allowed is EVENT_LOOP for a batch handler");
  }
}
