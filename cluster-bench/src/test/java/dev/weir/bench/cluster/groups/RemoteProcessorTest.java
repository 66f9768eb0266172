package dev.weir.bench.cluster.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.MessageLatencies;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A processor whose client does as the test says. */
class RemoteProcessorTest {
  private static final int COUNT = 4;

  private final Vertx vertx = Vertx.vertx();
  private final ProcessorClient client =
      ProcessorClient.create(
          vertx, new ProcessorClientOptions().setMembers(List.of("localhost:1")));
  private final Injection injection =
      new Injection(
          InjectionPlan.saturated(1, COUNT, COUNT), new EchoMessages(32), new MessageLatencies(0));

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void takesAReplyThatIsThereBeforeAnybodyAsksForIt() {
    RemoteProcessor processor = new RemoteProcessor(client, Future::succeededFuture);
    processor.begin(injection);

    processor.doWork();

    assertThat(processor.isOver()).isTrue();
    assertThat(processor.result().verdict().isOk()).as("%s", processor.result()).isTrue();
    processor.close();
  }

  @Test
  void takesTheRepliesThatComeLater() {
    List<Runnable> replies = new ArrayList<>();
    RemoteProcessor processor =
        new RemoteProcessor(
            client,
            body -> {
              Promise<Buffer> reply = Promise.promise();
              replies.add(() -> reply.complete(body));
              return reply.future();
            });
    processor.begin(injection);

    processor.doWork();
    assertThat(processor.isOver()).isFalse();
    replies.forEach(Runnable::run);

    assertThat(processor.isOver()).isTrue();
    assertThat(processor.result().verdict().isOk()).as("%s", processor.result()).isTrue();
    processor.close();
  }

  @Test
  void saysWhyTheFirstRequestFailed() {
    RemoteProcessor processor =
        new RemoteProcessor(client, body -> Future.failedFuture("refused: GAP"));
    processor.begin(injection);

    processor.doWork();

    assertThat(processor.firstFailure()).isEqualTo("refused: GAP");
    processor.close();
  }
}
