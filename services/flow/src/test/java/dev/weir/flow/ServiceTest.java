package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.HeapBudget;
import dev.weir.queue.OverflowPolicy;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceTest extends FlowTestBase {

  private Future<Message<Object>> request(String address, Object body) {
    return vertx.eventBus().request(address, body);
  }

  private List<Future<Message<Object>>> requests(String address, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> request(address, i)).toList();
  }

  @Test
  void aPlainRequestIsAnsweredWithTheHandlersResult() {
    serve(weir(), "upper", memoryOnly(), m -> Future.succeededFuture(((String) m.body()).trim()));
    assertThat(Futures.result("reply", request("upper", " hi ")).body()).isEqualTo("hi");
  }

  @Test
  void headersArriveAndMayBeSentBack() {
    serve(
        weir(),
        "headers",
        memoryOnly(),
        m ->
            Future.succeededFuture(
                new ServiceReply(m.headers().get("a"), new DeliveryOptions().addHeader("b", "2"))));
    Message<Object> reply =
        Futures.result(
            "reply",
            vertx.eventBus().request("headers", "x", new DeliveryOptions().addHeader("A", "1")));
    assertThat(reply.body()).isEqualTo("1");
    assertThat(reply.headers().get("b")).isEqualTo("2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messagesStartInTheOrderTheyCameOverMemoryAndDisk(boolean writeThrough) {
    Gate gate = new Gate();
    ServiceOptions options =
        new ServiceOptions().setWorkers(3).setMemoryMessages(5).setWriteThrough(writeThrough);
    Service service = serve(weir(), "order", options, gate::handle);
    List<Future<Message<Object>>> replies = new ArrayList<>(requests("order", 0, 1000));
    Await.until("all are accepted", () -> service.stats().accepted() == 1000);
    assertThat(service.stats().busyWorkers()).isEqualTo(3);
    assertThat(service.stats().waitingInMemory()).isEqualTo(5);
    assertThat(service.stats().waitingOnDisk()).isEqualTo(992);
    for (int i = 0; i < 1000; i++) {
      Await.until("a message is started", () -> !gate.held.isEmpty());
      gate.open();
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(gate.bodies.get(i)).isEqualTo(i);
      assertThat(Futures.result("reply", replies.get(i)).body()).isEqualTo(i);
    }
    // A worker is free only after the reply has left.
    Await.until("no worker is busy", () -> service.stats().busyWorkers() == 0);
    ServiceStats stats = service.stats();
    assertThat(stats.completed()).isEqualTo(1000);
    assertThat(stats.spilled()).isEqualTo(992);
    assertThat(stats.waitingOnDisk() + stats.waitingInMemory()).isZero();
    if (writeThrough) {
      Await.until("all are written", () -> service.stats().written() == 992);
    }
  }

  @Test
  void bodiesOfAllKindsComeBackFromDisk() {
    List<Object> bodies =
        List.of(
            "text",
            Buffer.buffer("buffer"),
            "bytes".getBytes(),
            new JsonObject().put("a", 1),
            new JsonArray().add(2),
            7,
            8L,
            1.5,
            true,
            new Text("immutable"));
    Weir weir = weir().registerCodec(Text.class, new Text.Codec());
    Gate gate = new Gate();
    Service service = serve(weir, "kinds", diskOnly().setWriteThrough(true), gate::handle);
    List<Future<Message<Object>>> replies = new ArrayList<>();
    replies.add(request("kinds", "first, to keep the worker busy"));
    for (Object body : bodies) {
      replies.add(
          vertx.eventBus().request("kinds", body, new DeliveryOptions().addHeader("kept", "yes")));
    }
    replies.add(request("kinds", null));
    Await.until("all are written", () -> service.stats().written() == bodies.size() + 1);
    for (int i = 0; i < replies.size(); i++) {
      Await.until("a message is started", () -> !gate.held.isEmpty());
      if (i > 0 && i <= bodies.size()) {
        assertThat(gate.held.peek().message().headers().get("kept")).isEqualTo("yes");
      }
      gate.open();
      Object reply = Futures.result("reply " + i, replies.get(i)).body();
      if (i > 0) {
        assertThat(reply).isEqualTo(i <= bodies.size() ? bodies.get(i - 1) : null);
      }
    }
  }

  @Test
  void immutableBodiesAreNotCopied() {
    Weir weir = weir().registerCodec(Text.class, new Text.Codec());
    Gate gate = new Gate();
    serve(weir, "same", memoryOnly(), gate::handle);
    Text text = new Text("x");
    Future<Message<Object>> reply = request("same", text);
    Await.until("the message is started", () -> !gate.held.isEmpty());
    gate.open();
    assertThat(Futures.result("reply", reply).body()).isSameAs(text);
    assertThat(gate.bodies.get(0)).isSameAs(text);
  }

  @Test
  void aHandlerThatThrowsFailsTheRequestAtOnce() {
    serve(
        weir(),
        "throws",
        memoryOnly(),
        m -> {
          throw new IllegalArgumentException("no such order");
        });
    Throwable cause = Futures.failure("request", request("throws", 1));
    assertFailure(cause, FlowFailure.HANDLER_FAILED);
    assertThat(cause).hasMessageContaining("no such order");
    assertThat(((ReplyException) cause).failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
  }

  @Test
  void aHandlerThatFailsWithACodePassesItOn() {
    serve(
        weir(),
        "fails",
        memoryOnly(),
        m ->
            Future.failedFuture(
                new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 42, "not today")));
    ReplyException cause = (ReplyException) Futures.failure("request", request("fails", 1));
    assertThat(cause.failureCode()).isEqualTo(42);
    assertThat(cause).hasMessage("not today");
  }

  @Test
  void aHandlerWithoutAFutureFailsTheRequest() {
    serve(weir(), "null", memoryOnly(), m -> null);
    assertFailure(Futures.failure("request", request("null", 1)), FlowFailure.HANDLER_FAILED);
  }

  @Test
  void aReplyThatHasNoCodecFailsTheRequestInsteadOfLettingItTimeOut() {
    serve(weir(), "odd", memoryOnly(), m -> Future.succeededFuture(new Object()));
    assertFailure(Futures.failure("request", request("odd", 1)), FlowFailure.HANDLER_FAILED);
  }

  @Test
  void afterAFailureTheWorkerIsFree() {
    Service service =
        serve(
            weir(),
            "again",
            memoryOnly().setWorkers(1),
            m -> {
              if (m.body().equals(0)) {
                throw new IllegalStateException("first");
              }
              return Future.succeededFuture(m.body());
            });
    Futures.failure("first", request("again", 0));
    assertThat(Futures.result("second", request("again", 1)).body()).isEqualTo(1);
    assertThat(service.stats().failed()).isEqualTo(1);
    assertThat(service.stats().completed()).isEqualTo(1);
  }

  @Test
  void aRequestTimesOutAsVertxUsersKnowIt() {
    serve(
        weir(),
        "slow",
        memoryOnly().setDrainTimeoutMs(10),
        m -> io.vertx.core.Promise.promise().future());
    Throwable cause =
        Futures.failure(
            "request",
            vertx.eventBus().request("slow", 1, new DeliveryOptions().setSendTimeout(50)));
    assertThat(((ReplyException) cause).failureType()).isEqualTo(ReplyFailure.TIMEOUT);
  }

  @Test
  void aFullMemoryTierFailsTheRequestWithACode() {
    Gate gate = new Gate();
    Service service =
        serve(weir(), "full", memoryOnly().setWorkers(1).setMemoryMessages(1), gate::handle);
    List<Future<Message<Object>>> replies = requests("full", 0, 3);
    assertFailure(Futures.failure("third", replies.get(2)), FlowFailure.SERVICE_FULL);
    assertThat(service.stats().rejected()).isEqualTo(1);
    Await.until("first", () -> !gate.held.isEmpty());
    gate.open();
    Await.until("second", () -> !gate.held.isEmpty());
    gate.open();
    assertThat(Futures.result("second", replies.get(1)).body()).isEqualTo(1);
  }

  @Test
  void headersTakeRoomInTheMemoryTierAsBodiesDo() {
    Gate gate = new Gate();
    ServiceOptions options = memoryOnly().setWorkers(1).setMemoryBytes(10_000);
    Service service = serve(weir(), "full", options, gate::handle);
    vertx.eventBus().request("full", "held");
    DeliveryOptions large = new DeliveryOptions().addHeader("h", "x".repeat(10_000));
    assertFailure(
        Futures.failure("large headers", vertx.eventBus().request("full", "", large)),
        FlowFailure.SERVICE_FULL);
    Future<Message<Object>> small =
        vertx.eventBus().request("full", "small", new DeliveryOptions().addHeader("h", "v"));
    Await.until("the small one waits", () -> service.stats().waitingInMemory() == 1);
    assertThat(service.stats().waitingInMemoryBytes()).isBetween(200L, 1000L);
    gate.open();
    Await.until("it is started", () -> !gate.held.isEmpty());
    gate.open();
    Futures.result("small", small);
    assertThat(service.stats().waitingInMemoryBytes()).isZero();
  }

  @Test
  void dropOldestMakesRoomForTheNewest() {
    Gate gate = new Gate();
    Service service =
        serve(
            weir(),
            "oldest",
            memoryOnly().setWorkers(1).setMemoryMessages(2).setPolicy(OverflowPolicy.DROP_OLDEST),
            gate::handle);
    List<Future<Message<Object>>> replies = requests("oldest", 0, 4);
    assertFailure(Futures.failure("the oldest that waited", replies.get(1)), FlowFailure.DROPPED);
    for (int i = 0; i < 3; i++) {
      Await.until("started", () -> !gate.held.isEmpty());
      gate.open();
    }
    assertThat(gate.bodies).containsExactly(0, 2, 3);
    assertThat(service.stats().dropped()).isEqualTo(1);
  }

  @Test
  void dropOldestDropsNothingForWhatOtherServicesLeaveNoRoomFor() {
    Weir weir = weir(new WeirOptions().setHeapBytes(HeapBudget.MIN_HEAP_BYTES));
    ServiceOptions options = memoryOnly().setWorkers(1);
    Service others = serve(weir, "others", options, message -> Future.succeededFuture());
    Service drops =
        serve(
            weir,
            "drops",
            options.setPolicy(OverflowPolicy.DROP_OLDEST),
            message -> Future.succeededFuture(message.body()));
    Futures.result("pause", others.pause());
    Futures.result("pause", drops.pause());
    List<Future<Message<Object>>> replies = requests("drops", 0, 10);
    Await.until("they wait", () -> drops.stats().waitingInMemory() == 10);
    for (int i = 1; others.stats().rejected() == 0; i++) {
      assertThat(i).as("bodies that fit into two mebibytes").isLessThan(30);
      vertx.eventBus().send("others", Buffer.buffer(new byte[100_000]));
      int sent = i;
      Await.until("it is taken", () -> taken(others.stats()) == sent);
    }

    Buffer large = Buffer.buffer(new byte[200_000]);
    assertFailure(
        Futures.failure("large", vertx.eventBus().request("drops", large)),
        FlowFailure.SERVICE_FULL);

    assertThat(drops.stats().dropped()).isZero();
    Futures.result("resume", drops.resume());
    for (int i = 0; i < 10; i++) {
      assertThat(Futures.result("reply", replies.get(i)).body()).isEqualTo(i);
    }
  }

  private static long taken(ServiceStats stats) {
    return stats.accepted() + stats.rejected();
  }

  @Test
  void dropNewestTellsTheRequesterAndCounts() {
    Gate gate = new Gate();
    Service service =
        serve(
            weir(),
            "newest",
            memoryOnly().setWorkers(1).setMemoryMessages(0).setPolicy(OverflowPolicy.DROP_NEWEST),
            gate::handle);
    List<Future<Message<Object>>> replies = requests("newest", 0, 2);
    assertFailure(Futures.failure("the newest", replies.get(1)), FlowFailure.DROPPED);
    assertThat(service.stats().rejected()).isEqualTo(1);
    gate.openAll();
  }

  @Test
  void aFullDiskBudgetFailsTheRequestWithACode() {
    Gate gate = new Gate();
    Service service = serve(weir(), "budget", diskOnly().setDiskBytes(5000), gate::handle);
    List<Future<Message<Object>>> replies = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      replies.add(request("budget", Buffer.buffer(new byte[1000])));
    }
    assertFailure(Futures.failure("last", replies.get(9)), FlowFailure.SERVICE_FULL);
    ServiceStats stats = service.stats();
    assertThat(stats.accepted() + stats.rejected()).isEqualTo(10);
    assertThat(stats.waitingOnDiskBytes()).isLessThanOrEqualTo(5000);
    for (int i = 0; i < stats.accepted(); i++) {
      Await.until("started", () -> !gate.held.isEmpty());
      gate.open();
      Futures.result("reply " + i, replies.get(i));
    }
  }

  @Test
  void dropOldestOnDiskFailsTheRequestersOfWhatIsDropped() {
    Gate gate = new Gate();
    Service service =
        serve(
            weir(new WeirOptions().setDirectory(directory.toString()).setPacketBytes(1024)),
            "droppers",
            diskOnly().setDiskBytes(10_000).setPolicy(OverflowPolicy.DROP_OLDEST),
            gate::handle);
    List<Future<Message<Object>>> replies = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      replies.add(request("droppers", Buffer.buffer(new byte[1000])));
    }
    Await.until(
        "each request is answered or waits",
        () -> service.stats().accepted() + service.stats().rejected() == 100);
    Await.until("the budget holds again", () -> service.stats().waitingOnDiskBytes() <= 10_000);
    Await.until(
        "every requester knows",
        () -> {
          gate.openAll();
          return replies.stream().allMatch(Future::isComplete);
        });
    long failed = replies.stream().filter(Future::failed).count();
    assertThat(failed).isPositive().isEqualTo(service.stats().dropped());
    assertThat(replies.get(99).succeeded()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENT_LOOP", "WORKER"})
  void theHandlerRunsWhereAsked(RunOn runOn) {
    java.util.Set<String> threads = ConcurrentHashMap.newKeySet();
    serve(
        weir(),
        "where",
        memoryOnly().setRunOn(runOn).setWorkers(4),
        m -> {
          threads.add(Thread.currentThread().getName());
          return Future.succeededFuture(m.body());
        });
    for (Future<Message<Object>> reply : requests("where", 0, 100)) {
      Futures.result("reply", reply);
    }
    String expected = runOn == RunOn.WORKER ? "weir-where-" : "vert.x-eventloop-thread";
    assertThat(threads).allMatch(name -> name.startsWith(expected));
  }

  @Test
  void blockingHandlersRunAtOnceOnAsManyThreadsAsThereAreWorkersAlsoAfterAResize() {
    java.util.concurrent.Semaphore inside = new java.util.concurrent.Semaphore(0);
    java.util.concurrent.CountDownLatch leave = new java.util.concurrent.CountDownLatch(1);
    Service service =
        serve(
            weir(),
            "block",
            memoryOnly().setRunOn(RunOn.WORKER).setWorkers(2),
            m -> {
              inside.release();
              try {
                leave.await();
              } catch (InterruptedException e) {
                return Future.failedFuture(e);
              }
              return Future.succeededFuture(m.body());
            });
    List<Future<Message<Object>>> replies = requests("block", 0, 10);
    Await.until("two are inside", () -> inside.availablePermits() == 2);
    Futures.result("resize", service.setWorkers(6));
    Await.until("six are inside", () -> inside.availablePermits() == 6);
    leave.countDown();
    replies.forEach(reply -> Futures.result("reply", reply));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void onJava21HandlersRunOnVirtualThreads() {
    Service service =
        serve(
            weir(),
            "virtual",
            memoryOnly().setRunOn(RunOn.VIRTUAL_THREAD),
            m -> Future.succeededFuture(Thread.currentThread().toString()));
    for (Future<Message<Object>> reply : requests("virtual", 0, 50)) {
      assertThat((String) Futures.result("reply", reply).body()).startsWith("VirtualThread");
    }
    assertThat(service.stats().completed()).isEqualTo(50);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void onAVirtualThreadAHandlerAwaitsFuturesAndHoldsNobodyUp() {
    Promise<String> later = Promise.promise();
    serve(
        weir(),
        "awaiting",
        memoryOnly().setRunOn(RunOn.VIRTUAL_THREAD),
        (ServiceMessage<Integer> m) ->
            Future.succeededFuture(
                m.body() == 0
                    ? Future.await(vertx.timer(1).compose(fired -> later.future()))
                    : Vertx.currentContext().threadingModel().name()));
    List<Future<Message<Object>>> replies = requests("awaiting", 0, 3);
    assertThat((String) Futures.result("the second", replies.get(1)).body())
        .isEqualTo("VIRTUAL_THREAD");
    Futures.result("the third", replies.get(2));
    later.complete("done");
    assertThat(Futures.result("the first", replies.get(0)).body()).isEqualTo("done");
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void beforeJava21VirtualThreadsAreRefusedWithAClearLine() {
    Throwable cause =
        Futures.failure(
            "serve",
            weir()
                .serve(
                    "virtual",
                    memoryOnly().setRunOn(RunOn.VIRTUAL_THREAD),
                    m -> Future.succeededFuture()));
    assertThat(cause).hasMessageContaining("runOn is VIRTUAL_THREAD, which needs Java 21");
  }

  @Test
  void pauseAndResume() {
    Gate gate = new Gate();
    Service service =
        serve(weir(), "pause", new ServiceOptions().setMemoryMessages(3), gate::handle);
    Futures.result("pause", service.pause());
    List<Future<Message<Object>>> replies = requests("pause", 0, 10);
    Await.until("all wait", () -> service.stats().accepted() == 10);
    assertThat(service.stats().busyWorkers()).isZero();
    assertThat(service.stats().paused()).isTrue();
    Futures.result("resume", service.resume());
    for (int i = 0; i < 10; i++) {
      Await.until("started", () -> !gate.held.isEmpty());
      gate.open();
      Futures.result("reply", replies.get(i));
    }
    assertThat(gate.bodies).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void workersMayBeChangedWhileItRuns() {
    Gate gate = new Gate();
    Service service = serve(weir(), "resize", memoryOnly().setWorkers(1), gate::handle);
    requests("resize", 0, 10);
    Await.until("all are accepted", () -> service.stats().accepted() == 10);
    assertThat(service.stats().busyWorkers()).isEqualTo(1);
    Futures.result("more workers", service.setWorkers(4));
    Await.until("four are held", () -> gate.held.size() == 4);
    assertThat(service.stats().busyWorkers()).isEqualTo(4);
    assertThat(service.stats().workers()).isEqualTo(4);
    Futures.result("fewer workers", service.setWorkers(2));
    gate.open();
    gate.open();
    Await.until("two are busy", () -> service.stats().busyWorkers() == 2);
    assertThat(service.stats().completed()).isEqualTo(2);
    Await.until(
        "all are completed",
        () -> {
          gate.openAll();
          return service.stats().completed() == 10;
        });
  }

  @Test
  void closingFinishesWhatWaits() {
    Gate gate = new Gate();
    Service service = serve(weir(), "drain", diskOnly(), gate::handle);
    List<Future<Message<Object>>> replies = requests("drain", 0, 5);
    Await.until("all are accepted", () -> service.stats().accepted() == 5);
    Future<Void> closed = service.close();
    assertFailure(
        Futures.failure("a late request", request("drain", 99)), FlowFailure.SERVICE_CLOSED);
    for (int i = 0; i < 5; i++) {
      Await.until("started", () -> !gate.held.isEmpty());
      gate.open();
      assertThat(Futures.result("reply", replies.get(i)).body()).isEqualTo(i);
    }
    Futures.result("close", closed);
    ReplyException gone = (ReplyException) Futures.failure("after close", request("drain", 100));
    assertThat(gone.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
  }

  @Test
  void whatDoesNotFinishInTimeIsToldSo() {
    Gate gate = new Gate();
    Service service =
        serve(
            weir(),
            "deadline",
            new ServiceOptions().setWorkers(1).setMemoryMessages(2),
            gate::handle);
    List<Future<Message<Object>>> replies = requests("deadline", 0, 6);
    Await.until("all are accepted", () -> service.stats().accepted() == 6);
    Futures.result("close", service.close(50));
    for (int i = 1; i < 6; i++) {
      assertFailure(Futures.failure("request " + i, replies.get(i)), FlowFailure.SERVICE_CLOSED);
    }
  }

  @Test
  void anAddressIsServedOnceAndAgainAfterItsServiceIsClosed() {
    Weir weir = weir();
    Service first = serve(weir, "once", new ServiceOptions(), m -> Future.succeededFuture(1));
    Throwable cause =
        Futures.failure(
            "second", weir.serve("once", new ServiceOptions(), m -> Future.succeededFuture(2)));
    assertThat(cause).hasMessage("address once is served already");
    Futures.result("close", first.close());
    serve(weir, "once", new ServiceOptions(), m -> Future.succeededFuture(3));
    assertThat(Futures.result("reply", request("once", 0)).body()).isEqualTo(3);
  }

  @Test
  void closingVertxClosesItsWeir() {
    Weir weir = weir();
    serve(weir, "hook", new ServiceOptions(), m -> Future.succeededFuture());
    Futures.result("vert.x closes", vertx.close());
    Futures.result("weir is closed", weir.close());
    vertx = io.vertx.core.Vertx.vertx();
    serve(weir(), "hook", new ServiceOptions(), m -> Future.succeededFuture());
  }

  @Test
  void plainSendAndPublishReachTheHandler() {
    Gate gate = new Gate();
    Service service = serve(weir(), "oneway", memoryOnly(), gate::handle);
    vertx.eventBus().send("oneway", "sent").publish("oneway", "published");
    Await.until("both are started", () -> gate.held.size() == 2);
    assertThat(gate.held.peek().message().isRequest()).isFalse();
    gate.openAll();
    Await.until("both are completed", () -> service.stats().completed() == 2);
  }

  @Test
  void aRequestWithHeadersOfAnotherHasItsOwnTimeout() {
    Weir weir = weir();
    serve(
        weir,
        "timeouts",
        new ServiceOptions(),
        message ->
            Future.succeededFuture(
                String.join(",", message.headers().getAll(ServiceMessage.TIMEOUT_MS))));
    DeliveryOptions passedOn =
        new DeliveryOptions().setSendTimeout(20_000).addHeader(ServiceMessage.TIMEOUT_MS, "1");

    assertThat(Futures.result("a reply", weir.request("timeouts", "x", passedOn)).body())
        .isEqualTo("20000");
  }
}
