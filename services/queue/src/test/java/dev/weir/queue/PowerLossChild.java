package dev.weir.queue;

import dev.weir.queue.segment.SegmentDirectory;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * A process under a fault layer: appends messages, most of them with {@link Durability#MACHINE},
 * handles some of them, and marks in the layer's journal what it did:
 *
 * <pre>
 *   A n      the append of message n with MACHINE completed
 *   k n      message n is about to be acknowledged
 * </pre>
 */
final class PowerLossChild {
  private static final int IN_FLIGHT = 20;

  /** So many messages wait when all are handled soon: some are forced before they are deleted. */
  private static final int BEHIND = 60;

  /** Segments that are deleted or used again before the end of a pass. */
  private static final int SEGMENTS_GONE = 8;

  private final Path directory;

  private final OutputStream marks;
  private final Random random;
  private final List<DurableQueue<byte[]>> queues = new ArrayList<>();
  private final Semaphore inFlight = new Semaphore(IN_FLIGHT);

  private PowerLossChild(Path directory, Path marks, Random random) throws IOException {
    this.marks = new FileOutputStream(marks.toString(), true);
    this.directory = directory;
    this.random = random;
    QueueStore store = QueueStore.open(PowerLossTest.options(directory));
    for (int i = 0; i < PowerLossTest.QUEUES; i++) {
      queues.add(PowerLossTest.queue(store, i));
    }
  }

  /**
   * Arguments: data directory, file of marks, seed, number of messages or 0 for no end, size of all
   * messages if they are to be handled at once.
   */
  public static void main(String[] args) throws IOException {
    PowerLossChild child =
        new PowerLossChild(Path.of(args[0]), Path.of(args[1]), new Random(Long.parseLong(args[2])));
    int messages = Integer.parseInt(args[3]);
    if (args.length > 4) {
      child.pass(messages, Integer.parseInt(args[4]));
    } else {
      child.run(messages);
    }
    // The power goes while the store is in use: nothing is closed.
    Runtime.getRuntime().halt(0);
  }

  private synchronized void mark(String text) {
    try {
      marks.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run(int messages) {
    Random sizes = new Random(1);
    for (int number = 0; messages == 0 || number < messages; number++) {
      Durability durability = random.nextInt(8) == 0 ? Durability.PROCESS : Durability.MACHINE;
      append(number, CrashChild.message(number, sizes), durability);
      if (random.nextInt(3) == 0) {
        handle();
      }
    }
    inFlight.acquireUninterruptibly(IN_FLIGHT);
  }

  /**
   * Nothing is forced but for the deletion of segments. Goes on until some are deleted, because a
   * slow disk deletes them later.
   */
  private void pass(int messages, int bodyBytes) throws IOException {
    for (int number = 0; number < messages || segmentsGone() < SEGMENTS_GONE; number++) {
      append(number, CrashChild.message(number, bodyBytes), Durability.PROCESS);
      for (DurableQueue<byte[]> queue : queues) {
        Delivery<byte[]> next = queue.waiting() > BEHIND ? queue.poll() : null;
        if (next != null) {
          acknowledge(queue, next);
        }
      }
    }
    inFlight.acquireUninterruptibly(IN_FLIGHT);
  }

  /** Segments have numbers in the order of their files. */
  private int segmentsGone() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(SegmentDirectory::isSegment)
              .sorted()
              .toList();
      return names.isEmpty()
          ? 0
          : Integer.parseInt(names.get(names.size() - 1).substring(0, 6), 16) - names.size();
    }
  }

  private void acknowledge(DurableQueue<byte[]> queue, Delivery<byte[]> delivery) {
    mark("k " + CrashChild.number(delivery.message()) + "\n");
    queue.acknowledge(delivery);
  }

  private void append(int number, byte[] message, Durability durability) {
    inFlight.acquireUninterruptibly();
    queues
        .get(number % PowerLossTest.QUEUES)
        .append(
            message,
            durability,
            failure -> {
              if (failure == null && durability == Durability.MACHINE) {
                mark("A " + number + "\n");
              }
              inFlight.release();
            });
  }

  private void handle() {
    DurableQueue<byte[]> queue = queues.get(random.nextInt(PowerLossTest.QUEUES));
    Delivery<byte[]> delivery = queue.poll();
    if (delivery == null) {
      return;
    }
    switch (random.nextInt(4)) {
      case 0 -> queue.fail(delivery, "on purpose");
      case 1 -> queue.release(delivery);
      default -> acknowledge(queue, delivery);
    }
  }
}
