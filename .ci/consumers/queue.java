import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

public class Main {
  public static void main(String[] args) {
    try (QueueStore store = QueueStore.open(new QueueStoreOptions(Path.of(args[0])));
        DurableQueue<byte[]> queue =
            store.queue("mail", Serde.BYTES, new QueueOptions(), (attachment, reason) -> {})) {
      CompletableFuture<String> written = new CompletableFuture<>();
      queue.append(
          "hello".getBytes(),
          MessageOptions.NONE,
          Durability.MACHINE,
          failure -> written.complete(failure == null ? "ok" : failure.getMessage()));
      System.out.println(written.join());
    }
  }
}
