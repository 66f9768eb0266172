package dev.weir.queue;

import dev.weir.queue.je.LogMark;
import dev.weir.testing.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is known of the end of the log while a store is in use. */
class LogEndTest extends QueueTestBase {
  private long end() {
    LogMark.Content mark = KilledStore.mark(directory);
    return mark == null ? -1 : mark.endSequences().getOrDefault("q", -1L);
  }

  @Test
  void theLastMessageIsToldAlsoIfNothingIsWrittenAfterIt() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, List.of("first"));
      Await.until("the first message is told", () -> end() >= 0);
      long first = end();
      CompletableFuture<Void> forced = new CompletableFuture<>();
      queue.append(
          "last",
          Durability.MACHINE,
          failure -> {
            if (failure == null) {
              forced.complete(null);
            } else {
              forced.completeExceptionally(failure);
            }
          });
      forced.join();
      Await.until("the last message is told", () -> end() == first + 1);
      KilledStore.awaitKnownForced(directory);
    }
  }
}
