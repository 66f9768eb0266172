package dev.weir.queue;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A process made to be killed: it does random things to the queues of a store and says what it is
 * about to do, in a small letter, and what it has done, in a capital. A line has the ms since the
 * process began, and ends with {@link #END}:
 *
 * <pre>
 *   a ms queue n key idOf delayed                      append message n
 *   A ms queue n 0                                     its append completed
 *   D ms queue n key sequence deliveries failures      it was delivered
 *   k ms queue n 0      K ms queue n 0                 acknowledge
 *   f ms queue n 0      F ms queue n 0                 fail
 *   j ms queue n 0      J ms queue n 0                 reject
 *   p ms queue          P ms queue count 0             purge
 *   L ms queue n n n                                   all dead letters
 *   r ms queue n 0      R ms queue n count             requeue a dead letter, or all for n = 0
 *   u ms queue n 0      U ms queue n count             purge a dead letter, or all for n = 0
 *   b ms n              B ms n                         backup
 *   c ms                C ms                           close
 *   M ...                                              a moment to kill it
 *   X ...                                              something is wrong
 * </pre>
 */
final class CrashModelChild implements AutoCloseable {
  static final String END = " .";

  /** It said as much as it was asked to. */
  static final String HERE = "M here" + END;

  static final String OPEN = JeMarks.OPEN + END;
  static final String OPENED = JeMarks.OPENED + END;

  /** What to do at {@link #HERE}. */
  enum Then {
    GO_ON,
    CLOSE,
    BACK_UP,
    PURGE,
    REQUEUE
  }

  private static final int IN_FLIGHT = 200;
  private static final int MOST_WAITING = 800;

  private final Consumer<String> out;
  private final Random random;
  private final Path backups;
  private final Durability durability;
  private final long startNs = System.nanoTime();
  private final QueueStore store;
  private final Map<CrashQueue, CrashClient> clients = new EnumMap<>(CrashQueue.class);
  private final Semaphore readable = new Semaphore(0);
  private final AtomicLong lines = new AtomicLong();
  private final Semaphore inFlight = new Semaphore(IN_FLIGHT);
  private long nextNumber;
  private int mostWaiting = MOST_WAITING / 4;

  CrashModelChild(
      Path directory,
      Path backups,
      Durability durability,
      long seed,
      long first,
      Consumer<String> out) {
    this.backups = backups;
    this.durability = durability;
    this.random = new Random(seed);
    this.nextNumber = first;
    this.out = out;
    say(JeMarks.OPEN);
    store =
        QueueStore.open(
            CrashChild.options(directory).setAckFlushMs(20).setSegmentThresholdBytes(2000));
    for (CrashQueue queue : CrashQueue.values()) {
      clients.put(queue, new CrashClient(this, store, queue));
    }
    say(JeMarks.OPENED);
  }

  public static void main(String[] args) {
    QuietLog.set();
    PrintStream out =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
    Consumer<String> say =
        line -> {
          synchronized (out) {
            out.println(line);
            if (out.checkError()) {
              // Nobody listens any more.
              Runtime.getRuntime().halt(1);
            }
          }
        };
    JeMarks.tell(mark -> say.accept(mark + END));
    CrashModelChild child =
        new CrashModelChild(
            Path.of(args[0]),
            Path.of(args[1]),
            Durability.valueOf(args[2]),
            Long.parseLong(args[3]),
            Long.parseLong(args[4]),
            say);
    child.run(Long.parseLong(args[5]), Then.valueOf(args[6]));
  }

  void say(String line) {
    lines.incrementAndGet();
    out.accept(line + END);
  }

  /** Says something with the time; null values are left out. */
  void say(char what, CrashQueue queue, Object... values) {
    StringBuilder line = new StringBuilder().append(what).append(' ').append(ms());
    if (queue != null) {
      line.append(' ').append(queue);
    }
    for (Object value : values) {
      line.append(' ').append(value);
    }
    say(line.toString());
  }

  private long ms() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }

  long nextNumber() {
    return nextNumber++;
  }

  Random random() {
    return random;
  }

  Durability durability() {
    return durability;
  }

  Semaphore inFlight() {
    return inFlight;
  }

  void readable() {
    readable.release();
  }

  // ---- what it does

  private void run(long markAtLines, Then then) {
    boolean marked = false;
    while (true) {
      if (!marked && lines.get() >= markAtLines) {
        marked = true;
        say("M here");
        act(then);
      }
      if (random.nextInt(400) == 0) {
        mostWaiting = random.nextInt(MOST_WAITING);
      }
      CrashQueue queue = CrashQueue.values()[random.nextInt(clients.size())];
      step(clients.get(queue));
    }
  }

  private void act(Then then) {
    CrashClient client = clients.get(CrashQueue.values()[random.nextInt(clients.size())]);
    switch (then) {
      case CLOSE -> {
        close();
        new Semaphore(0).acquireUninterruptibly();
      }
      case BACK_UP -> backUp();
      case PURGE -> client.purge();
      case REQUEUE -> client.requeueAll();
      default -> {}
    }
  }

  private void step(CrashClient client) {
    int what = random.nextInt(2000);
    if (what == 0) {
      client.purge();
    } else if (what == 1) {
      backUpSometimes();
    } else if (what == 2) {
      client.requeueAll();
    } else if (what == 3) {
      client.removeAll();
    } else if (what < 10) {
      client.requeueOne();
    } else if (what < 13) {
      client.removeOne();
    } else if (what < 1000 && client.waiting() < mostWaiting && inFlight.tryAcquire()) {
      client.append();
    } else if (!client.pollOrEnd()) {
      rest();
    }
  }

  private void rest() {
    try {
      readable.tryAcquire(1, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void backUpSometimes() {
    if (random.nextInt(4) == 0) {
      backUp();
    }
  }

  private void backUp() {
    long number = nextNumber();
    say('b', null, number);
    store.backup(backups.resolve(Long.toString(number)));
    say('B', null, number);
  }

  Collection<CrashClient> clients() {
    return clients.values();
  }

  @Override
  public void close() {
    say('c', null);
    store.close();
    say('C', null);
  }
}
