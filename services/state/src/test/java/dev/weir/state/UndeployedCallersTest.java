package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.vertx.Contexts;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A worker verticle is undeployed, and its pool closed, while its calls are under way. */
class UndeployedCallersTest extends StateTestBase {
  private static final FactoryOptions LOGGED = new FactoryOptions().setChangeLogBytes(1 << 20);

  private static final class Caller extends VerticleBase {
    private Context context() {
      return context;
    }
  }

  private final CountDownLatch goOn = new CountDownLatch(1);

  private Caller deployed() {
    Caller caller = new Caller();
    Futures.result(
        "the verticle is deployed",
        vertx.deployVerticle(
            caller,
            new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName("own-" + System.identityHashCode(caller))
                .setWorkerPoolSize(1)));
    return caller;
  }

  private void undeploy(Caller caller) {
    String id = caller.context().deploymentID();
    Futures.result("the verticle is undeployed", vertx.undeploy(id));
  }

  @Test
  void theOperationsOfOthersAreAnswered() {
    DocumentFactory cars =
        factory(
            "cars",
            new FactoryOptions(),
            new FactoryRules()
                .addAction(
                    "wait",
                    (document, body) -> {
                      awaitGoOn();
                      return ActionResult.write(new JsonObject(), new JsonObject());
                    }));
    Caller gone = deployed();
    Caller other = deployed();
    Contexts.within(
        gone.context(), () -> cars.act("a", "wait", new JsonObject()).onComplete(done -> {}));
    Future<Document> written =
        Contexts.within(other.context(), () -> cars.put("a", new JsonObject()));
    undeploy(gone);
    goOn.countDown();

    assertThat(done(written).version()).isEqualTo(2);
    assertThat(done(cars.put("a", new JsonObject())).version()).isEqualTo(3);
    Await.until("all is given back", () -> documents.stats().inFlightBytes() == 0);
  }

  private void awaitGoOn() {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theQueriesOfOthersAreAnsweredAndTheStreamOfTheVerticleEnds() {
    DocumentFactory cars = factory("cars", LOGGED);
    Caller gone = deployed();
    waitForChange(gone, cars);
    undeploy(gone);

    done(cars.put("a", new JsonObject()));
    assertThat(done(cars.count(new Query()))).isEqualTo(1);
    Await.until("no stream is left", () -> documents.stats().streams() == 0);
    Await.until("all is given back", () -> documents.stats().inFlightBytes() == 0);
  }

  @Test
  void aWaitForChangesEndsAfterItsTimeAlthoughNothingIsWritten() {
    DocumentFactory cars = factory("cars", LOGGED);
    Caller gone = deployed();
    waitForChange(gone, cars, 500);
    undeploy(gone);
    Await.until("no stream is left", () -> documents.stats().streams() == 0);
  }

  @Test
  void theStoreCloses() {
    Caller gone = deployed();
    waitForChange(gone, factory("cars", LOGGED));
    undeploy(gone);
    Futures.result("the store closes", documents.close());
  }

  /** What was delivered to a verticle that is undeployed before its turn does not count. */
  @Test
  void theBytesOfAnAnswerThatNobodyTakesAreGivenBack() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", new JsonObject().put("text", "x".repeat(100_000))));
    Caller gone = deployed();
    CountDownLatch asked = new CountDownLatch(1);
    gone.context()
        .runOnContext(
            start -> {
              for (int i = 0; i < 5; i++) {
                cars.query(new Query()).onComplete(done -> {});
              }
              asked.countDown();
              awaitGoOn();
            });
    Futures.result("it has asked", vertx.executeBlocking(() -> awaited(asked)));
    assertThat(done(cars.count(new Query()))).isEqualTo(1);
    Future<Void> undeployed = vertx.undeploy(gone.context().deploymentID());
    goOn.countDown();
    undeployed.onComplete(done -> {});
    Futures.result("the verticle is undeployed", undeployed);
    Await.until("its answers are given up", () -> documents.stats().inFlightBytes() == 0);
  }

  private static boolean awaited(CountDownLatch latch) throws InterruptedException {
    latch.await();
    return true;
  }

  private static void waitForChange(Caller caller, DocumentFactory factory) {
    waitForChange(caller, factory, ChangeQuery.MAX_WAIT_MS);
  }

  private static void waitForChange(Caller caller, DocumentFactory factory, long waitMs) {
    Future<Void> asked =
        Future.future(
            promise ->
                caller
                    .context()
                    .runOnContext(
                        start -> {
                          factory.changes(new ChangeQuery().setWaitMs(waitMs));
                          promise.complete();
                        }));
    Futures.result("the verticle waits", asked);
  }
}
