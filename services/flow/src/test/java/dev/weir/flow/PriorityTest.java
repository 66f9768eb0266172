package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityTest extends FlowTestBase {
  private static final String ADDRESS = "levels";

  private static ServiceOptions levels(int workers, int priorities) {
    return new ServiceOptions().setWorkers(workers).setPriorities(priorities);
  }

  private static DeliveryOptions priority(Object priority) {
    return new DeliveryOptions().addHeader(ServiceMessage.PRIORITY, String.valueOf(priority));
  }

  private static void send(Weir from, String body, int priority) {
    Futures.result("accepted", from.send(ADDRESS, body, Durability.PROCESS, priority(priority)));
  }

  /** Lets messages go, one after the other, until that many have started; and those too. */
  private static void openUntil(Gate gate, int messages) {
    Await.until(
        "all are handled",
        () -> {
          gate.openAll();
          return gate.bodies.size() == messages;
        });
    gate.openAll();
  }

  private static long waiting(Weir weir) {
    return weir.services().stream()
        .mapToLong(each -> each.stats().waitingInMemory() + each.stats().waitingOnDisk())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void durableMessagesOfTheHighestPriorityStartFirst(boolean overTheBus) {
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, ADDRESS, levels(1, 3), gate::handle);
    Weir from = overTheBus ? weir(new WeirOptions()) : weir;
    send(from, "first", 0);
    Await.until("the worker is busy", () -> gate.held.size() == 1);
    send(from, "low 1", 0);
    send(from, "low 2", 0);
    send(from, "middle", 1);
    send(from, "high 1", 2);
    send(from, "high 2", 2);
    openUntil(gate, 6);
    assertThat(gate.bodies)
        .containsExactly("first", "high 1", "high 2", "middle", "low 1", "low 2");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void requestsOfTheHighestPriorityStartFirstInMemoryAndOnDisk(int memoryMessages) {
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, ADDRESS, levels(1, 2).setMemoryMessages(memoryMessages), gate::handle);
    Future<?> first = vertx.eventBus().request(ADDRESS, "first");
    Await.until("the worker is busy", () -> gate.held.size() == 1);
    Future<?> low = vertx.eventBus().request(ADDRESS, "low");
    Future<?> high = vertx.eventBus().request(ADDRESS, "high", priority(1));
    Await.until("both wait", () -> waiting(weir) == 2);
    openUntil(gate, 3);
    Futures.result("all are answered", Future.all(first, low, high));
    assertThat(gate.bodies).containsExactly("first", "high", "low");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void theHighestPriorityStartsFirstAlsoWhenTheHandlerIsDoneAtOnce(int memoryMessages) {
    List<Object> handled = new CopyOnWriteArrayList<>();
    Promise<Void> first = Promise.promise();
    Weir weir = weir();
    serve(
        weir,
        ADDRESS,
        levels(1, 3).setMemoryMessages(memoryMessages),
        message -> {
          handled.add(message.body());
          return message.body().equals("first") ? first.future() : Future.succeededFuture();
        });
    List<Future<?>> requests = new ArrayList<>();
    requests.add(vertx.eventBus().request(ADDRESS, "first"));
    Await.until("the worker is busy", () -> handled.size() == 1);
    for (String body : List.of("low 1", "low 2", "middle 1", "middle 2", "high 1", "high 2")) {
      int priority = List.of("low", "middle", "high").indexOf(body.split(" ")[0]);
      requests.add(vertx.eventBus().request(ADDRESS, body, priority(priority)));
    }
    Await.until("all others wait", () -> waiting(weir) == 6);
    first.complete();
    Futures.result("all are answered", Future.all(requests));
    assertThat(handled)
        .containsExactly("first", "high 1", "high 2", "middle 1", "middle 2", "low 1", "low 2");
  }

  @Test
  void allPrioritiesTogetherHaveTheWorkersOfTheService() {
    Gate gate = new Gate();
    Weir weir = weir();
    Service service = serve(weir, ADDRESS, levels(3, 2), gate::handle);
    for (int i = 0; i < 10; i++) {
      send(weir, "m" + i, i % 2);
    }
    Await.until("three are in handling, the others wait", () -> waiting(weir) == 7);
    assertThat(gate.held).hasSize(3);
    Futures.result("fewer", service.setWorkers(1));
    gate.openAll();
    Await.until("one is in handling", () -> gate.held.size() == 1);
    assertThat(weir.services().stream().mapToInt(each -> each.stats().busyWorkers()).sum())
        .isEqualTo(1);
    Futures.result("more", service.setWorkers(4));
    Await.until("four are in handling", () -> gate.held.size() == 4);
    openUntil(gate, 10);
  }

  @Test
  void prioritiesAreKeptOverARestart() {
    Weir before = weir();
    Gate never = new Gate();
    serve(before, ADDRESS, levels(1, 2).setDrainTimeoutMs(0), never::handle);
    send(before, "first", 1);
    Await.until("the worker is busy", () -> never.held.size() == 1);
    send(before, "low", 0);
    send(before, "high", 1);
    Futures.result("closed", before.close());

    Gate gate = new Gate();
    Weir after = weir();
    serve(after, ADDRESS, levels(1, 2), gate::handle);
    openUntil(gate, 3);
    assertThat(gate.bodies).containsExactly("first", "high", "low");
    never.openAll();
  }

  @Test
  void aPausedServiceStartsNoMessageOfAnyPriority() {
    List<Object> handled = new CopyOnWriteArrayList<>();
    Weir weir = weir();
    Service service =
        serve(
            weir,
            ADDRESS,
            levels(1, 2),
            message -> {
              handled.add(message.body());
              return Future.succeededFuture();
            });
    Futures.result("paused", service.pause());
    send(weir, "low", 0);
    send(weir, "high", 1);
    assertThat(handled).isEmpty();
    Futures.result("resumed", service.resume());
    Await.until("both are handled", () -> handled.size() == 2);
    assertThat(handled).containsExactly("high", "low");
  }

  @Test
  void eachPriorityIsAServiceWithFiguresAndALifeThatEndsWithTheFirst() {
    Weir weir = weir();
    Gate gate = new Gate();
    Service service = serve(weir, ADDRESS, levels(1, 3), gate::handle);
    assertThat(weir.services())
        .extracting(Service::address)
        .containsExactly(ADDRESS, "levels.priority-1", "levels.priority-2");
    assertThat(Service.priority(ADDRESS, 2)).isEqualTo("levels.priority-2");
    Futures.result("closed", service.close());
    assertThat(weir.services()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "-1", "10", "high", ""})
  void aPriorityThatTheServiceDoesNotHaveIsRefused(String priority) {
    Weir weir = weir();
    serve(weir, ADDRESS, levels(1, 2), message -> Future.succeededFuture());
    for (Future<?> sent :
        List.of(
            vertx.eventBus().request(ADDRESS, "plain", priority(priority)),
            weir.send(ADDRESS, "durable", Durability.PROCESS, priority(priority)),
            weir(new WeirOptions())
                .send(ADDRESS, "over the bus", Durability.PROCESS, priority(priority)))) {
      Throwable refused = Futures.failure("refused", sent);
      assertThat(refused)
          .isInstanceOf(ReplyException.class)
          .hasMessage("weir-priority is " + priority + ", allowed is 0 to 1");
      assertThat(((ReplyException) refused).failureCode())
          .isEqualTo(FlowFailure.BAD_REQUEST.code());
    }
  }

  @Test
  void aServiceWithOnePriorityTakesNoNotice() {
    Weir weir = weir();
    serve(weir, ADDRESS, new ServiceOptions(), message -> Future.succeededFuture(message.body()));
    assertThat(
            Futures.result("answered", vertx.eventBus().request(ADDRESS, "any", priority("urgent")))
                .body())
        .isEqualTo("any");
  }

  @Test
  void anAddressOfAPriorityThatIsTakenLeavesNothingBehind() {
    Weir weir = weir();
    serve(weir, Service.priority(ADDRESS, 1), new ServiceOptions(), new Gate()::handle);
    assertThat(Futures.failure("taken", weir.serve(ADDRESS, levels(1, 2), new Gate()::handle)))
        .hasMessageContaining("address levels.priority-1 is served already");
    assertThat(weir.services()).hasSize(1);
    assertThat(weir.opening()).isEmpty();
  }

  @Test
  void aServiceOfConsumersElsewhereHasOnePriority() {
    assertThat(Futures.failure("refused", weir().remote().serve(ADDRESS, levels(1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("priorities is 2, allowed is 1 for a service of consumers elsewhere");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageMayHaveFewerAttemptsThanItsService(boolean overTheBus) {
    Weir weir = weir();
    Service service =
        serve(
            weir,
            ADDRESS,
            new ServiceOptions().setMaxAttempts(100).setBackoffMs(0),
            message -> Future.failedFuture("no"));
    Weir from = overTheBus ? weir(new WeirOptions()) : weir;
    DeliveryOptions two = new DeliveryOptions().addHeader(ServiceMessage.MAX_ATTEMPTS, "2");
    Futures.result("accepted", from.send(ADDRESS, "body", Durability.PROCESS, two));
    Await.until("it is a dead letter", () -> service.stats().deadLetters() == 1);
    assertThat(service.stats().failed()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "many"})
  void anImpossibleNumberOfAttemptsIsRefused(String attempts) {
    Weir weir = weir();
    serve(weir, ADDRESS, new ServiceOptions(), message -> Future.succeededFuture());
    DeliveryOptions bad = new DeliveryOptions().addHeader(ServiceMessage.MAX_ATTEMPTS, attempts);
    assertThat(Futures.failure("refused", weir.send(ADDRESS, "body", Durability.PROCESS, bad)))
        .hasMessage(
            "weir-max-attempts is " + attempts + ", allowed is a whole number of 1 or more");
  }

  @Test
  void aServiceKeepsAsManyDeadLettersAsItsOptionsSay() {
    Weir weir = weir();
    ServiceOptions options =
        new ServiceOptions()
            .setMaxAttempts(1)
            .setDeadLetters(new DeadLetterOptions().setMaxCount(2));
    assertThat(new ServiceOptions(options.toJson()).getDeadLetters().getMaxCount()).isEqualTo(2);
    Service service = serve(weir, ADDRESS, options, message -> Future.failedFuture("no"));
    for (int i = 0; i < 5; i++) {
      Futures.result("accepted", weir.send(ADDRESS, "m" + i, Durability.PROCESS));
    }
    Await.until("all have failed", () -> service.stats().failed() == 5);
    Await.until("two are left", () -> service.stats().deadLetters() == 2);
  }

  @Test
  void prioritiesHaveARange() {
    assertThatThrownBy(() -> new ServiceOptions().setPriorities(5))
        .hasMessageContaining("priorities is 5");
  }
}
