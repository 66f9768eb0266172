package dev.weir.queue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/** Floods one queue with appends that reach the device, and measures those of another queue. */
final class SlowSyncChild {
  private static final int IN_FLIGHT = 100;
  private static final int MEASURED = 100;

  private SlowSyncChild() {}

  /** Arguments: data directory. Prints the median of the times in us. */
  public static void main(String[] args) {
    LossListener none = (attachment, reason) -> {};
    QueueStore store = QueueStore.open(new QueueStoreOptions(Path.of(args[0])));
    DurableQueue<byte[]> flood = store.queue("flood", Serde.BYTES, new QueueOptions(), none);
    DurableQueue<byte[]> quick = store.queue("quick", Serde.BYTES, new QueueOptions(), none);
    Semaphore inFlight = new Semaphore(IN_FLIGHT);
    Thread flooder =
        new Thread(
            () -> {
              while (true) {
                inFlight.acquireUninterruptibly();
                flood.append(new byte[200], Durability.MACHINE, failure -> inFlight.release());
              }
            });
    flooder.setDaemon(true);
    flooder.start();
    append(flood, Durability.MACHINE);
    long[] timesUs = new long[MEASURED];
    for (int i = 0; i < MEASURED; i++) {
      long startNs = System.nanoTime();
      append(quick, Durability.PROCESS);
      timesUs[i] = (System.nanoTime() - startNs) / 1000;
    }
    Arrays.sort(timesUs);
    System.out.println("median " + timesUs[MEASURED / 2]);
    Runtime.getRuntime().halt(0);
  }

  private static void append(DurableQueue<byte[]> queue, Durability durability) {
    Semaphore done = new Semaphore(0);
    queue.append(new byte[200], durability, failure -> done.release());
    done.acquireUninterruptibly();
  }
}
