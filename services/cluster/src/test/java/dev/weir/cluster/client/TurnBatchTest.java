package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.QuietLog;
import dev.weir.cluster.threads.Turn;
import dev.weir.testing.Await;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnBatchTest {
  private final Vertx vertx = Vertx.vertx();
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final Executor turns =
      TurnBatch.turns(
          vertx.getOrCreateContext(),
          tasks -> {
            done.add("turn");
            Turn.run(tasks);
          });

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private void addTogether(List<Runnable> tasks) {
    turns.execute(() -> tasks.forEach(turns::execute));
    Await.until("all are done", () -> done.stream().filter("task"::equals).count() == tasks.size());
  }

  @Test
  void whatHasComeMeanwhileIsDoneInOneTurn() {
    addTogether(Collections.nCopies(3, () -> done.add("task")));
    assertThat(done).containsExactly("turn", "turn", "task", "task", "task");
  }

  @Test
  void aTurnEndsInTimeAndTheNextOneBegins() {
    addTogether(Collections.nCopies(2, this::takeLong));
    assertThat(done).containsExactly("turn", "turn", "task", "turn", "task");
  }

  private void takeLong() {
    long endNs = System.nanoTime() + Turn.MAX_NS;
    while (System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
    done.add("task");
  }

  @Test
  void aTaskThatThrowsLeavesTheOthersAlone() {
    QuietLog.set();
    Runnable task = () -> done.add("task");
    turns.execute(
        () -> {
          turns.execute(
              () -> {
                throw new IllegalStateException("as the test demands");
              });
          turns.execute(task);
        });
    Await.until("the second is done", () -> done.contains("task"));
  }
}
