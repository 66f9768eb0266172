package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  }

  private String deploy(Weir weir, int instances, ServiceHandler<Object> handler) {
    ServiceOptions options = new ServiceOptions().setDrainTimeoutMs(100);
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
  void anAddressIsServedByOneDeploymentOnly() {
    Weir weir = weir();
    deploy(weir, 1, gate::handle);
    Throwable failure =
        Futures.failure(
            "deploy", vertx.deployVerticle(new Serving(weir, new ServiceOptions(), gate::handle)));
    assertThat(failure).hasMessage("address orders is served already");
  }
}
