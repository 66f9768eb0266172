package dev.weir.queue;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * A process made to be killed while its disk is full: it appends messages of every size, and
 * acknowledges, fails, delays and rejects what comes. It says:
 *
 * <pre>
 *   O n    the store is open, n messages were found
 *   A n    the append of message n completed
 *   E n    message n is about to be acknowledged or rejected
 *   F      the disk is full
 *   R ...  the store cannot be opened, and why
 *   X ...  something is wrong
 * </pre>
 */
final class FullDiskKillChild {
  private static final int IN_FLIGHT = 40;
  private static final int MAX_MESSAGE = 20_000;
  private static final int KEYS = 10;

  private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
  private final Random random;
  private final DurableQueue<String> queue;
  private final Semaphore inFlight = new Semaphore(IN_FLIGHT);
  private int next;

  private FullDiskKillChild(QueueStore store, Random random, int first) {
    this.random = random;
    this.next = first;
    this.queue =
        store.queue(
            "q",
            new QueueTestBase.TextSerde(),
            options(),
            (attachment, reason) -> say("X lost: " + reason));
    say("O " + queue.stats().waiting());
  }

  static QueueStoreOptions storeOptions(Path directory) {
    return new QueueStoreOptions(directory)
        .setMinFreeBytes(8 << 20)
        .setLogFileBytes(1 << 20)
        .setPacketBytes(32 << 10)
        .setAckFlushMs(10);
  }

  static QueueOptions options() {
    return new QueueOptions()
        .setOrder(DeliveryOrder.KEY)
        .setWriteBufferBytes(1 << 20)
        .setRetry(RetryOptions.fixed(Delivery.MAX_COUNT, 20));
  }

  public static void main(String[] args) {
    QuietLog.set();
    try {
      QueueStore store = QueueStore.open(storeOptions(Path.of(args[0])));
      new FullDiskKillChild(store, new Random(Long.parseLong(args[1])), Integer.parseInt(args[2]))
          .run();
    } catch (QueueException e) {
      System.out.println("R " + e.getMessage());
      System.out.flush();
      Runtime.getRuntime().halt(3);
    } catch (RuntimeException | Error e) {
      System.out.println("X " + e);
      System.out.flush();
      Runtime.getRuntime().halt(4);
    }
  }

  private synchronized void say(String line) {
    out.println(line);
    out.flush();
  }

  private void run() {
    while (true) {
      if (random.nextBoolean() && inFlight.tryAcquire()) {
        append(next++);
      } else {
        consume(queue.poll());
      }
    }
  }

  private void append(int number) {
    MessageOptions its = MessageOptions.NONE;
    if (random.nextInt(3) > 0) {
      its = its.withKey("k" + random.nextInt(KEYS));
    }
    if (random.nextInt(20) == 0) {
      its = its.withNotBeforeMs(System.currentTimeMillis() + random.nextInt(200));
    }
    int bytes = 10 + random.nextInt(random.nextInt(3) == 0 ? MAX_MESSAGE : 500);
    queue.append(
        QueueTestBase.text(number, bytes),
        its,
        random.nextInt(10) == 0 ? Durability.MACHINE : Durability.PROCESS,
        failure -> completed(number, failure));
  }

  private void completed(int number, QueueException failure) {
    inFlight.release();
    if (failure == null) {
      say("A " + number);
    } else if (failure.reason() == QueueException.Reason.DISK_FULL) {
      say("F");
    } else if (failure.reason() != QueueException.Reason.BUFFER_FULL) {
      say("X " + failure);
    }
  }

  private void consume(Delivery<String> delivery) {
    if (delivery == null) {
      Thread.yield();
      return;
    }
    int dice = random.nextInt(100);
    if (dice < 45) {
      say("E " + number(delivery));
      queue.acknowledge(delivery);
    } else if (dice < 48) {
      say("E " + number(delivery));
      queue.reject(delivery, "on purpose");
    } else {
      queue.fail(delivery, "not now");
    }
  }

  static int number(Delivery<String> delivery) {
    String text = delivery.message();
    return Integer.parseInt(text.substring(0, text.indexOf(':')));
  }
}
