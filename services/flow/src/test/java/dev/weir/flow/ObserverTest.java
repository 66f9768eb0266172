package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.pool.Sampler;
import dev.weir.queue.Durability;
import dev.weir.queue.StoreStats;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObserverTest extends FlowTestBase {
  private record Handled(
      long waitedNs, long handledNs, boolean succeeded, int messages, Context context) {}

  private final Queue<String> services = new ConcurrentLinkedQueue<>();
  private final Queue<Handled> handled = new ConcurrentLinkedQueue<>();

  private final WeirObserver observer =
      new WeirObserver() {
        @Override
        public ServiceObserver opened(Service service) {
          services.add("opened " + service.address());
          return (waitedNs, handledNs, succeeded, messages) ->
              handled.add(
                  new Handled(waitedNs, handledNs, succeeded, messages, Vertx.currentContext()));
        }

        @Override
        public void closed(Service service) {
          services.add("closed " + service.address());
        }
      };

  private static void passMs(long ms) {
    long startNs = System.nanoTime();
    Await.until(
        ms + " ms are over", () -> System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private static List<Future<?>> requests(Vertx vertx, String address, int count) {
    return IntStream.range(0, count)
        .<Future<?>>mapToObj(i -> vertx.eventBus().request(address, "message " + i))
        .toList();
  }

  @Test
  void anObserverMayRemoveItselfWhileItIsTold() {
    Weir weir = weir();
    List<String> told = new CopyOnWriteArrayList<>();
    weir.addObserver(
        new WeirObserver() {
          @Override
          public ServiceObserver opened(Service service) {
            return (waitedNs, handledNs, succeeded, messages) -> {
              told.add("handled");
              weir.removeObserver(this);
            };
          }

          @Override
          public void closed(Service service) {
            told.add("closed");
          }
        });
    weir.addObserver(observer);
    Service service =
        serve(weir, "once", memoryOnly(), message -> Future.succeededFuture(message.body()));
    for (int i = 0; i < 3; i++) {
      Futures.result("a reply", vertx.eventBus().request("once", "message"));
    }
    Await.until("the other one is told of all", () -> handled.size() == 3);
    Futures.result("close", service.close());
    assertThat(told).containsExactly("handled");
    assertThat(services).containsExactly("opened once", "closed once");
  }

  @Test
  void isToldHowLongEachOfFewMessagesWaitedAndWasHandled() {
    Weir weir = weir().setObserver(observer);
    Gate gate = new Gate();
    serve(weir, "orders", memoryOnly().setWorkers(1), gate::handle);
    List<Future<?>> replies = requests(vertx, "orders", 2);
    Await.until(
        "one is held, one waits", () -> weir.service("orders").stats().waitingInMemory() == 1);
    passMs(10);
    gate.open();
    Await.until("the second is held", () -> !gate.held.isEmpty());
    passMs(5);
    gate.open();
    Futures.result("both are answered", Future.all(replies));
    Await.until("both are told", () -> handled.size() == 2);
    Handled first = handled.poll();
    Handled second = handled.poll();
    assertThat(first.waitedNs()).isZero();
    assertThat(first.handledNs()).isGreaterThan(10_000_000);
    assertThat(second.waitedNs()).isGreaterThan(10_000_000);
    assertThat(second.handledNs()).isGreaterThan(5_000_000);
    assertThat(List.of(first, second)).allMatch(Handled::succeeded);
    assertThat(List.of(first, second)).extracting(Handled::messages).containsOnly(1);
    assertThat(first.context().isEventLoopContext()).isTrue();
  }

  @Test
  void isToldOfWhatCameFromDiskAndOfFailures() {
    Weir weir = weir().setObserver(observer);
    serve(weir, "orders", diskOnly().setMaxAttempts(1), message -> Future.failedFuture("no stock"));
    Futures.result("it is accepted", weir.send("orders", "durable", Durability.PROCESS));
    Await.until("it is told", () -> !handled.isEmpty());
    assertThat(handled.peek().succeeded()).isFalse();
    assertThat(handled.peek().waitedNs()).isNotNegative();
  }

  @Test
  void ofManyMessagesSomeStandForTheOthers() {
    Weir weir = weir().setObserver(observer);
    serve(weir, "orders", memoryOnly(), message -> Future.succeededFuture());
    int messages = 20_000;
    Futures.result("all are sent from one loop", sendAll(messages));
    Await.until("all are handled", () -> weir.service("orders").stats().completed() == messages);
    int stoodFor = handled.stream().mapToInt(Handled::messages).sum();
    assertThat(stoodFor).isBetween(messages - Sampler.EVERY, messages);
    assertThat(handled).extracting(Handled::messages).containsAnyOf(1, Sampler.EVERY);
  }

  private Future<Void> sendAll(int messages) {
    Promise<Void> sent = Promise.promise();
    vertx.runOnContext(
        ignored -> {
          for (int i = 0; i < messages; i++) {
            vertx.eventBus().send("orders", i);
          }
          sent.complete();
        });
    return sent.future();
  }

  @Test
  void isToldOfServicesThatComeAndGoAndOfThoseThatAreThere() {
    Weir weir = weir();
    serve(weir, "early", memoryOnly(), message -> Future.succeededFuture());
    weir.setObserver(observer);
    Service late = serve(weir, "late", memoryOnly(), message -> Future.succeededFuture());
    Futures.result("it closes", late.close());
    assertThat(services).containsExactly("opened early", "opened late", "closed late");
    Futures.result("a request", vertx.eventBus().request("early", "x"));
    Await.until("it is told", () -> !handled.isEmpty());
    weir.setObserver(null);
    Futures.result("one more request", vertx.eventBus().request("early", "x"));
    assertThat(handled).hasSize(1);
  }

  @Test
  void eachOfSeveralIsToldUntilItIsRemoved() {
    List<String> others = new CopyOnWriteArrayList<>();
    WeirObserver other =
        new WeirObserver() {
          @Override
          public ServiceObserver opened(Service service) {
            others.add("opened " + service.address());
            return (waitedNs, handledNs, succeeded, messages) -> others.add("handled");
          }

          @Override
          public void closed(Service service) {
            others.add("closed " + service.address());
          }
        };
    Weir weir = weir();
    weir.addObserver(other);
    weir.addObserver(observer);
    Service orders = serve(weir, "orders", memoryOnly(), message -> Future.succeededFuture());
    Futures.result("a request", vertx.eventBus().request("orders", "x"));
    Await.until("both are told", () -> handled.size() == 1 && others.size() == 2);
    weir.removeObserver(other);
    Futures.result("one more request", vertx.eventBus().request("orders", "x"));
    Await.until("the one that stays is told", () -> handled.size() == 2);
    Futures.result("it closes", orders.close());
    assertThat(services).containsExactly("opened orders", "closed orders");
    assertThat(others).containsExactly("opened orders", "handled");
  }

  @Test
  void oneThatFailsHarmsNoMessage() {
    Weir weir =
        weir()
            .setObserver(
                new WeirObserver() {
                  @Override
                  public ServiceObserver opened(Service service) {
                    return (waitedNs, handledNs, succeeded, messages) -> {
                      throw new IllegalStateException("observer");
                    };
                  }

                  @Override
                  public void closed(Service service) {}
                });
    serve(weir, "orders", memoryOnly(), message -> Future.succeededFuture("done"));
    Futures.result("all are answered", Future.all(requests(vertx, "orders", 3)));
    Await.until("no worker is busy", () -> weir.service("orders").stats().busyWorkers() == 0);
  }

  @Test
  void theDataDirectoryAndTheDiskTierHaveFigures() {
    Weir weir = weir();
    assertThat(weir.storeStats()).isNull();
    Service orders = serve(weir, "orders", diskOnly(), message -> Future.succeededFuture());
    Service plain = serve(weir, "plain", memoryOnly(), message -> Future.succeededFuture());
    Futures.result("it is accepted", weir.send("orders", "durable", Durability.MACHINE));
    StoreStats store = weir.storeStats();
    assertThat(store.directory()).isEqualTo(directory);
    assertThat(store.logFiles()).isPositive();
    assertThat(store.logBytes()).isPositive();
    assertThat(store.usableBytes()).isGreaterThan(store.minFreeBytes());
    assertThat(store.fault()).isNull();
    assertThat(orders.queueStats().appended()).isEqualTo(1);
    assertThat(plain.queueStats()).isNull();
  }

  @Test
  void openingAndClosingCanBeSeen() {
    Weir weir = weir();
    Gate gate = new Gate();
    Service orders = serve(weir, "orders", memoryOnly().setWorkers(3), gate::handle);
    assertThat(weir.opening()).isEmpty();
    assertThat(orders.options().getWorkers()).isEqualTo(3);
    List<Future<?>> replies = requests(vertx, "orders", 1);
    Await.until("it is held", () -> !gate.held.isEmpty());
    assertThat(orders.isClosing()).isFalse();
    Future<Void> closing = weir.close();
    assertThat(orders.isClosing()).isTrue();
    assertThat(weir.isClosing()).isTrue();
    gate.open();
    Futures.result("it closes", Future.all(closing, replies.get(0)));
  }
}
