package dev.weir.bench.persistence.documents;

import dev.weir.bench.program.Names;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * A process that creates documents, some before the measurement and more after it began, and prints
 * the heap that one of the latter takes.
 */
final class FootprintMain {
  /** What the line with the result begins with. */
  static final String RESULT = "RESULT";

  /** In the result: the heap that the documents take, together. */
  static final String HEAP_BYTES = "heapBytes";

  /** In the result: the documents that take it. */
  static final String HELD = "held";

  /** In the result: the documents that were not read back as they were written. */
  static final String DAMAGED = "damaged";

  /** Full collections before a look at the heap; the least heap in use after one of them counts. */
  static final int COLLECTIONS = 5;

  /** Xenon commits its index once a second. */
  private static final long BETWEEN_COLLECTIONS_MS = 500;

  private static final long POLL_MS = 100;
  private static final int POLLS = 1_200;

  /** Documents that are read at the end. */
  private static final int READ = 100;

  private FootprintMain() {}

  /**
   * Prints one result and ends.
   *
   * @param args name of the system, place of the documents, directory, the number of documents
   *     before and of further ones
   */
  public static void main(String[] args) throws Exception {
    Footprint.Place place = Names.parse(Footprint.Place.class, "place", args[1]);
    Path directory = Path.of(args[2]);
    int before = Integer.parseInt(args[3]);
    int all = before + Integer.parseInt(args[4]);
    try (Footprint footprint =
        args[0].equals(PeerFootprintScenario.XENON)
            ? new XenonFootprint(directory, place)
            : new WeirFootprint(directory, place)) {
      create(footprint, 0, before);
      long heldBefore = footprint.held();
      long heapBefore = heapBytes();
      create(footprint, before, all);
      JsonObject result =
          new JsonObject()
              .put(HEAP_BYTES, heapBytes() - heapBefore)
              .put(HELD, footprint.held() - heldBefore)
              .put(DAMAGED, damaged(footprint, all));
      System.out.println(RESULT + " " + result.encode());
    }
    System.exit(0);
  }

  private static void create(Footprint footprint, int from, int to) throws Exception {
    footprint.create(from, to);
    for (int polls = 0; !footprint.isSettled(); polls++) {
      if (polls == POLLS) {
        throw new TimeoutException("documents are still in memory, paused are " + footprint.held());
      }
      Thread.sleep(POLL_MS);
    }
  }

  private static long heapBytes() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      Thread.sleep(BETWEEN_COLLECTIONS_MS);
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static long damaged(Footprint footprint, int all) throws Exception {
    long damaged = 0;
    for (int number : IntStream.range(0, READ).map(i -> i * (all / READ)).toArray()) {
      if (!Footprint.text(number).equals(footprint.read(number))) {
        damaged++;
      }
    }
    return damaged;
  }
}
