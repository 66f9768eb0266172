package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A service that is opened by a verticle lives as long as its deployment. */
class VerticleTest extends FlowTestBase {
  private final Gate gate = new Gate();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private static final class Serving extends VerticleBase {
    private final Weir weir;
    private final ServiceOptions options;
    private final ServiceHandler<Object> handler;

    Serving(Weir weir, ServiceOptions options, ServiceHandler<Object> handler) {
      this.weir = weir;
      this.options = options;
      this.handler = handler;
    }

    @Override
    public Future<?> start() {
      return weir.serve("orders", options, handler);
    }

    Context context() {
      return context;
    }
  }

  private String deploy(Weir weir, int instances, ServiceHandler<Object> handler) {
    return deploy(weir, instances, new ServiceOptions(), handler);
  }

  private String deploy(
      Weir weir, int instances, ServiceOptions given, ServiceHandler<Object> handler) {
    ServiceOptions options = new ServiceOptions(given).setDrainTimeoutMs(100);
    return Futures.result(
        "deploy",
        vertx.deployVerticle(
            () -> new Serving(weir, options, handler),
            new DeploymentOptions().setInstances(instances)));
  }

  @Test
  void undeployingClosesTheServiceAndTheNextDeploymentHandlesWhatIsLeft() {
    Weir weir = weir();
    String first = deploy(weir, 1, gate::handle);
    Futures.result("send", weir.send("orders", "kept", Durability.PROCESS));
    Await.until("the message is in handling", () -> gate.held.size() == 1);

    Futures.result("undeploy", vertx.undeploy(first));

    assertThat(weir.services()).isEmpty();
    Throwable failure = Futures.failure("send", weir.send("orders", "late", Durability.PROCESS));
    assertThat(((ReplyException) failure).failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
    gate.held.clear();
    gate.bodies.clear();
    deploy(weir, 1, gate::handle);
    Await.until("the message comes again", () -> gate.held.size() == 1);
    assertThat(gate.bodies).containsExactly("kept");
    gate.openAll();
  }

  @Test
  void instancesOfADeploymentShareOneServiceAndTheirEventLoops() {
    Weir weir = weir();
    String deployment =
        deploy(
            weir,
            2,
            message -> {
              threads.add(Thread.currentThread());
              return Future.succeededFuture(message.body());
            });
    assertThat(weir.services()).hasSize(1);
    for (int i = 0; i < 10; i++) {
      assertThat(Futures.result("reply", vertx.eventBus().request("orders", i)).body())
          .isEqualTo(i);
    }
    assertThat(threads).hasSize(2);

    Futures.result("undeploy", vertx.undeploy(deployment));

    assertThat(weir.services()).isEmpty();
  }

  @Test
  void instancesOfADeploymentKeepTheOrderOfEachKey() {
    Map<String, List<String>> handled = new ConcurrentHashMap<>();
    Set<String> failed = ConcurrentHashMap.newKeySet();
    Weir weir = weir();
    deploy(
        weir,
        2,
        new ServiceOptions().setOrder(DeliveryOrder.KEY).setBackoffMs(1).setMaxBackoffMs(2),
        message -> {
          threads.add(Thread.currentThread());
          String body = (String) message.body();
          Promise<Object> done = Promise.promise();
          vertx.setTimer(
              1,
              ignored -> {
                if (body.endsWith("3") && failed.add(body)) {
                  done.fail("on purpose");
                } else {
                  handled
                      .computeIfAbsent(message.key(), k -> new CopyOnWriteArrayList<>())
                      .add(body);
                  done.complete();
                }
              });
          return done.future();
        });
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String body = "message " + i;
      expected.add(body);
      for (String key : List.of("a", "b", "c")) {
        weir.send(
            "orders",
            body,
            Durability.PROCESS,
            new DeliveryOptions().addHeader(ServiceMessage.KEY, key));
      }
    }
    for (String key : List.of("a", "b", "c")) {
      Await.until(
          () -> "all of " + key + ": " + handled.get(key),
          () -> handled.getOrDefault(key, List.of()).size() >= expected.size());
      assertThat(handled.get(key)).isEqualTo(expected);
    }
    assertThat(threads).hasSize(2);
  }

  @Test
  void undeployingAnswersWhatWaitsOnDiskAndKeepsWhatWasSentDurably() {
    Weir weir = weir();
    ServiceOptions onDisk = diskOnly().setOrder(DeliveryOrder.KEY);
    String first = deploy(weir, 2, onDisk, gate::handle);
    vertx.eventBus().send("orders", "in handling");
    Await.until("the worker is busy", () -> gate.held.size() == 1);
    List<Future<Message<Object>>> requests = new ArrayList<>();
    List<Object> durable = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      requests.add(vertx.eventBus().request("orders", "request " + i));
      vertx.eventBus().send("orders", "plain " + i);
      durable.add("durable " + i);
      Futures.result("accepted", weir.send("orders", "durable " + i, Durability.PROCESS));
    }
    Futures.result("undeploy", vertx.undeploy(first));
    for (Future<Message<Object>> request : requests) {
      assertFailure(Futures.failure("a request", request), FlowFailure.SERVICE_CLOSED);
    }
    gate.openAll();
    gate.bodies.clear();
    deploy(weir, 2, onDisk, gate::handle);
    Await.until(
        () -> "all durable ones come: " + gate.bodies,
        () -> {
          gate.openAll();
          return gate.bodies.size() == durable.size();
        });
    assertThat(gate.bodies).isEqualTo(durable);
    gate.openAll();
  }

  /** Vert.x cancels the timers of a verticle that is undeployed. */
  @Test
  void aServiceThatClosesAlreadyWhenItsVerticleIsUndeployedClosesAfterItsDrainTimeout() {
    Weir weir = weir();
    String deployment = deploy(weir, 1, gate::handle);
    vertx.eventBus().send("orders", "never handled to the end");
    Await.until("the message is in handling", () -> gate.held.size() == 1);
    Service service = weir.service("orders");
    Future<Void> closed = service.close(500);
    Await.until("the service takes no more", service::isClosing);
    Futures.result("the drain has begun", service.resume());

    Futures.result("undeploy", vertx.undeploy(deployment));

    Futures.result("close", closed);
    gate.openAll();
  }

  /** For instance by the start of a verticle of which another part has failed. */
  @Test
  void whatIsServedByAVerticleThatIsGoneAlreadyIsClosedAtOnce() {
    Weir weir = weir();
    Serving verticle = new Serving(weir, new ServiceOptions(), gate::handle);
    Futures.result("undeploy", vertx.deployVerticle(verticle).compose(vertx::undeploy));
    Promise<Service> late = Promise.promise();
    verticle
        .context()
        .runOnContext(v -> weir.serve("late", new ServiceOptions(), gate::handle).onComplete(late));
    Futures.result("it was served for a moment", late.future());
    Await.until("it is closed", () -> weir.services().isEmpty() && weir.opening().isEmpty());
    Futures.result("the address is free", weir.serve("late", new ServiceOptions(), gate::handle));
  }

  @Test
  void whatWaitsForWorkerThreadsIsHandledBeforeTheVerticleIsGone() {
    ServiceOptions options = new ServiceOptions().setRunOn(RunOn.WORKER).setWorkers(1);
    Semaphore mayEnd = new Semaphore(0);
    Serving verticle =
        new Serving(
            weir(),
            options,
            message -> {
              mayEnd.acquireUninterruptibly();
              return Future.succeededFuture(message.body());
            });
    String deployment = Futures.result("deploy", vertx.deployVerticle(verticle));
    List<Future<Message<Object>>> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      replies.add(vertx.eventBus().request("orders", i));
    }
    Future<Void> undeployed = vertx.undeploy(deployment);
    mayEnd.release(replies.size());

    for (int i = 0; i < 20; i++) {
      assertThat(Futures.result("reply", replies.get(i)).body()).isEqualTo(i);
    }
    Futures.result("undeploy", undeployed);
  }

  @Test
  void threadsOfAnEarlierNumberOfWorkersEndWithTheirHandlers() {
    Semaphore mayEnd = new Semaphore(0);
    ServiceOptions options = new ServiceOptions().setRunOn(RunOn.WORKER).setWorkers(1);
    Service service =
        serve(
            weir(),
            "grows",
            options,
            message -> {
              mayEnd.acquireUninterruptibly();
              return Future.succeededFuture(message.body());
            });
    Future<Message<Object>> first = vertx.eventBus().request("grows", "first");
    Await.until("it is in handling", () -> service.stats().busyWorkers() == 1);
    for (int workers = 2; workers <= 5; workers++) {
      Futures.result("more workers", service.setWorkers(workers));
    }
    Future<Message<Object>> second = vertx.eventBus().request("grows", "second");
    Await.until("both are in handling", () -> service.stats().busyWorkers() == 2);
    mayEnd.release(2);

    assertThat(Futures.result("first", first).body()).isEqualTo("first");
    assertThat(Futures.result("second", second).body()).isEqualTo("second");
    Await.until(
        "only threads of the last number are left",
        () -> threads("weir-grows-").stream().allMatch(n -> n.startsWith("weir-grows-5-")));
  }

  @Test
  void instancesThatJoinAServiceAndServicesThatAreRefusedLeaveNoWorkerThreadsBehind() {
    Map<String, Boolean> executors = vertx.sharedData().getLocalMap("weir.worker-threads");
    ServiceOptions options = new ServiceOptions().setRunOn(RunOn.WORKER).setWorkers(4);
    Weir weir = weir();
    String deployment = deploy(weir, 4, options, message -> Future.succeededFuture(message.body()));
    for (int i = 0; i < 10; i++) {
      Futures.failure("serve", weir.serve("orders", options, gate::handle));
    }
    for (int i = 0; i < 8; i++) {
      assertThat(Futures.result("reply", vertx.eventBus().request("orders", i)).body())
          .isEqualTo(i);
    }
    assertThat(executors.keySet()).containsExactly("weir-orders-4");

    Futures.result("undeploy", vertx.undeploy(deployment));

    assertThat(executors).isEmpty();
  }

  private static Set<String> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .collect(Collectors.toSet());
  }

  @Test
  void anAddressIsServedByOneDeploymentOnly() {
    Weir weir = weir();
    deploy(weir, 1, gate::handle);
    Throwable failure =
        Futures.failure(
            "deploy", vertx.deployVerticle(new Serving(weir, new ServiceOptions(), gate::handle)));
    assertThat(failure).hasMessage("address orders is served already");
  }
}
