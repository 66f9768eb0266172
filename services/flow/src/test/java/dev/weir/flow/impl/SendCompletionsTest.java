package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.vertx.Contexts;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SendCompletionsTest {
  private static final class Sender extends VerticleBase {
    private Context context() {
      return context;
    }
  }

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    Futures.result("vert.x closes", vertx.close());
  }

  @Test
  void aWorkerVerticleThatIsUndeployedKeepsNoOtherSenderFromItsOutcome() {
    Sender sender = new Sender();
    DeploymentOptions own =
        new DeploymentOptions()
            .setThreadingModel(ThreadingModel.WORKER)
            .setWorkerPoolName("own")
            .setWorkerPoolSize(1);
    String id = Futures.result("it is deployed", vertx.deployVerticle(sender, own));
    SendCompletions completions = new SendCompletions();
    SendCompletions.Ticket<Long> gone = completions.ticket(sender.context(), sequence -> sequence);
    gone.future().onComplete(done -> {});
    Context other = Contexts.newBeside(sender.context());
    SendCompletions.Ticket<Long> next = completions.ticket(other, sequence -> sequence);
    Futures.result("it is undeployed", vertx.undeploy(id));

    // Both are told in one task.
    CountDownLatch added = new CountDownLatch(1);
    other.runOnContext(busy -> await(added));
    gone.complete(1);
    next.complete(2);
    added.countDown();

    assertThat(Futures.result("the other is told", next.future())).isEqualTo(2);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
