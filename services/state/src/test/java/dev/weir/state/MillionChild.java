package dev.weir.state;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** The process with a small heap that {@link MillionDocumentsTest} starts. */
final class MillionChild {
  private static final int IN_FLIGHT = 1_000;
  private static final int EQUALITIES = 10_000;

  /** A prime that divides no number of documents. */
  private static final int LEAP = 7_919;

  /** Bytes of each document as JSON, as in the issue and the benchmarks. */
  private static final int JSON_BYTES = 330;

  /** A document without its number and its text. */
  private static final int OTHER_BYTES = "{\"n\":,\"text\":\"\"}".length();

  private static final String TEXT = "x".repeat(JSON_BYTES);

  private MillionChild() {}

  /**
   * @param args the directory, the number of documents, and {@code create} if there are none yet
   */
  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[1]);
    long startNs = System.nanoTime();
    Vertx vertx = Vertx.vertx();
    DocumentsOptions options = new DocumentsOptions().setDirectory(args[0]);
    Documents documents = Documents.open(vertx, options).await();
    DocumentFactory cars =
        documents.factory("cars", new FactoryOptions().setIndexes(List.of("n"))).await();
    System.out.println("opened in " + seconds(startNs));
    if (args.length > 2) {
      startNs = System.nanoTime();
      all(count, n -> cars.create(key(n), content(n)));
      System.out.println("created " + count + " in " + seconds(startNs));
    }
    System.out.println("wrong by key " + read(cars, count) + ";");
    System.out.println("wrong in pages " + pages(cars, count) + ";");
    System.out.println("wrong by equality " + equalities(cars, count) + ";");
    System.out.println("counted " + cars.count(new Query()).await() + ";");
    DocumentsStats stats = documents.stats();
    System.out.println("resident " + cars.stats().residentDocuments() + ", " + stats);
    documents.close().await();
    vertx.close().await();
    System.out.println("closed");
  }

  private static int read(DocumentFactory cars, int count) throws Exception {
    long startNs = System.nanoTime();
    AtomicInteger wrong = new AtomicInteger();
    all(
        count,
        n ->
            cars.get(key(n))
                .onSuccess(found -> wrong.addAndGet(found.json().getInteger("n") == n ? 0 : 1)));
    System.out.println("read in " + seconds(startNs));
    return wrong.get();
  }

  private static int pages(DocumentFactory cars, int count) {
    long startNs = System.nanoTime();
    Query query = new Query().setSort("n").setLimit(Query.MAX_LIMIT);
    int wrong = 0;
    int next = 0;
    do {
      QueryPage page = cars.query(query).await();
      for (Document found : page.documents()) {
        wrong += found.json().getInteger("n") == next++ ? 0 : 1;
      }
      query.setCursor(page.cursor());
    } while (query.getCursor() != null);
    System.out.println("queried " + next + " in " + seconds(startNs));
    return wrong + Math.abs(count - next);
  }

  /** Asks for single documents that lie far apart, one after another. */
  private static int equalities(DocumentFactory cars, int count) {
    long[] tookNs = new long[EQUALITIES];
    int wrong = 0;
    for (int i = 0; i < EQUALITIES; i++) {
      int n = (int) ((long) i * LEAP % count);
      long startNs = System.nanoTime();
      QueryPage page = cars.query(new Query().setFilter("n = " + n)).await();
      tookNs[i] = System.nanoTime() - startNs;
      boolean right = page.documents().size() == 1 && page.documents().get(0).key().equals(key(n));
      wrong += right ? 0 : 1;
    }
    Arrays.sort(tookNs);
    System.out.printf(
        Locale.ROOT,
        "%d queries by equality of %d documents of %d B in a heap of %d MiB: p50 %d us, p99 %d us%n",
        EQUALITIES,
        count,
        JSON_BYTES,
        Runtime.getRuntime().maxMemory() >> 20,
        tookNs[EQUALITIES / 2] / 1_000,
        tookNs[EQUALITIES - EQUALITIES / 100] / 1_000);
    return wrong;
  }

  private static String seconds(long startNs) {
    return (System.nanoTime() - startNs) / 1_000_000_000 + " s";
  }

  private static String key(int n) {
    return String.format("car-%07d", n);
  }

  private static JsonObject content(int n) {
    int textBytes = JSON_BYTES - OTHER_BYTES - Integer.toString(n).length();
    return new JsonObject().put("n", n).put("text", TEXT.substring(0, textBytes));
  }

  /** So many operations at a time; a failure ends the process. */
  private static void all(int count, IntFunction<Future<?>> operation) throws Exception {
    Semaphore free = new Semaphore(IN_FLIGHT);
    for (int n = 0; n < count; n++) {
      free.acquire();
      operation
          .apply(n)
          .onComplete(
              done -> {
                free.release();
                if (done.failed()) {
                  System.out.println("failed: " + done.cause());
                  Runtime.getRuntime().halt(1);
                }
              });
    }
    free.acquire(IN_FLIGHT);
  }
}
