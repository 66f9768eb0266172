package dev.weir.queue;

import dev.weir.testing.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Appends to one queue what has to reach the device, and then to another queue what has not. */
final class SlowSyncChild {
  static final String READY = "ready";
  private static final int APPENDS = 100;

  private SlowSyncChild() {}

  /**
   * Arguments: data directory, a file that exists once a sync takes long. Prints how many appends
   * of the other queue were complete before that sync.
   */
  public static void main(String[] args) throws Exception {
    LossListener none = (attachment, reason) -> {};
    QueueStore store = QueueStore.open(new QueueStoreOptions(Path.of(args[0])));
    DurableQueue<byte[]> forced = store.queue("forced", Serde.BYTES, new QueueOptions(), none);
    DurableQueue<byte[]> quick = store.queue("quick", Serde.BYTES, new QueueOptions(), none);
    append(forced, Durability.MACHINE).get();
    append(quick, Durability.PROCESS).get();
    System.out.println(READY);
    Await.until("syncs are slow", () -> Files.exists(Path.of(args[1])));
    CompletableFuture<Void> sync = append(forced, Durability.MACHINE);
    int complete = 0;
    for (int i = 0; i < APPENDS; i++) {
      append(quick, Durability.PROCESS).get(1, TimeUnit.HOURS);
      complete += sync.isDone() ? 0 : 1;
    }
    System.out.println("complete before the sync " + complete);
    Runtime.getRuntime().halt(0);
  }

  private static CompletableFuture<Void> append(DurableQueue<byte[]> queue, Durability durability) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    queue.append(
        new byte[200],
        durability,
        failure -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
    return done;
  }
}
