package dev.weir.queue;

import dev.weir.queue.store.QueueWork;
import dev.weir.queue.store.StoredQueue;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * A process made to be killed: it delivers what it finds, appends more, acknowledges most of it,
 * and says what it does, a line each:
 *
 * <pre>
 *   O n      opened, n messages found
 *   D n      message n was delivered
 *   k n      message n is about to be acknowledged
 *   K n      it is acknowledged
 *   A n      the append of message n completed
 *   F n      the first n acknowledgements are on disk
 *   M ...    a moment to kill it, see {@link JeMarks}
 *   X ...    something is wrong
 * </pre>
 */
public final class CrashChild {
  /** Every so many messages one is a request, which does not outlive its process. */
  static final int REQUEST_EVERY = 10;

  private static final int IN_FLIGHT = 300;
  private static final int HELD = 40;

  private final PrintStream out =
      new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
  private final Random random;
  private final Durability durability;
  private final StoredQueue<byte[]> queue;
  private final AtomicLong acknowledged = new AtomicLong();
  private final Semaphore inFlight = new Semaphore(IN_FLIGHT);

  private CrashChild(Path directory, Durability durability, Random random) {
    this.durability = durability;
    this.random = random;
    JeMarks.tell(this::say);
    say(JeMarks.OPEN);
    QueueStore store = QueueStore.open(options(directory));
    QueueOptions options =
        new QueueOptions().setReadAheadBytes(16 << 10).setWriteThrough(random.nextBoolean());
    queue =
        (StoredQueue<byte[]>) store.queue("q", Serde.BYTES, options, (attachment, reason) -> {});
    say("O " + queue.waiting());
    say(JeMarks.OPENED);
  }

  static QueueStoreOptions options(Path directory) {
    return new QueueStoreOptions(directory)
        .setMinFreeBytes(1 << 20)
        .setLogFileBytes(1 << 20)
        .setPacketBytes(4096)
        .setAckFlushMs(5);
  }

  public static void main(String[] args) {
    QuietLog.set();
    Random random = new Random(Long.parseLong(args[2]));
    CrashChild child = new CrashChild(Path.of(args[0]), Durability.valueOf(args[1]), random);
    Thread consumer = new Thread(child::consume, "consumer");
    consumer.setDaemon(true);
    consumer.start();
    child.produce(Long.parseLong(args[3]));
  }

  private synchronized void say(String line) {
    out.println(line);
    if (out.checkError()) {
      // Nobody listens any more.
      Runtime.getRuntime().halt(1);
    }
  }

  private void produce(long first) {
    Random sizes = new Random(first);
    for (long number = first; ; number++) {
      byte[] message = message(number, sizes);
      inFlight.acquireUninterruptibly();
      if (number % REQUEST_EVERY == 0) {
        queue.offer(message, null, false);
        inFlight.release();
      } else {
        append(number, message);
      }
    }
  }

  private void append(long number, byte[] message) {
    // An acknowledgement is taken along by the next transaction at the latest; one that is no
    // longer to be taken is on disk when a later append is.
    long before = acknowledged.get();
    boolean taken = (queue.work() & QueueWork.UPKEEP) == 0;
    queue.append(
        message,
        durability,
        failure -> {
          say(failure == null ? "A " + number : "X refused " + failure.getMessage());
          if (taken) {
            say("F " + before);
          }
          inFlight.release();
        });
  }

  private void consume() {
    Semaphore readable = new Semaphore(0);
    queue.onReadable(readable::release);
    List<Delivery<byte[]>> held = new ArrayList<>();
    while (true) {
      Delivery<byte[]> delivery = queue.poll();
      if (delivery == null) {
        readable.acquireUninterruptibly();
        continue;
      }
      say("D " + number(delivery.message()));
      held.add(delivery);
      if (held.size() > HELD) {
        Delivery<byte[]> done = held.remove(random.nextInt(held.size()));
        if (random.nextInt(200) > 0) {
          acknowledge(done);
        }
      }
    }
  }

  private void acknowledge(Delivery<byte[]> delivery) {
    long number = number(delivery.message());
    say("k " + number);
    queue.acknowledge(delivery);
    say("K " + number);
    acknowledged.incrementAndGet();
  }

  // ---- messages that tell whether they are intact

  static byte[] message(long number, Random sizes) {
    return message(number, sizes.nextInt(600));
  }

  static byte[] message(long number, int bodyBytes) {
    byte[] message = new byte[Long.BYTES + Integer.BYTES + bodyBytes];
    ByteBuffer.wrap(message).putLong(number).putInt(crc(message, number));
    return message;
  }

  private static int crc(byte[] message, long number) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    crc.update(message, Long.BYTES + Integer.BYTES, message.length - Long.BYTES - Integer.BYTES);
    return (int) crc.getValue();
  }

  /** The number of a message, -1 if it is not intact. */
  static long number(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message);
    long number = in.getLong();
    return in.getInt() == crc(message, number) ? number : -1;
  }
}
