package dev.weir.state;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** The process with a small heap that {@link MillionDocumentsTest} starts. */
final class MillionChild {
  private static final int IN_FLIGHT = 1_000;
  private static final int EQUALITIES = 1_000;
  private static final String TEXT = "x".repeat(280);

  private MillionChild() {}

  /**
   * @param args the directory and the number of documents
   */
  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[1]);
    Vertx vertx = Vertx.vertx();
    DocumentsOptions options = new DocumentsOptions().setDirectory(args[0]);
    Documents documents = Documents.open(vertx, options).await();
    DocumentFactory cars =
        documents.factory("cars", new FactoryOptions().setIndexes(List.of("n"))).await();
    long startNs = System.nanoTime();
    all(count, n -> cars.create(key(n), content(n)));
    System.out.println("created " + count + " in " + seconds(startNs));
    startNs = System.nanoTime();
    AtomicInteger wrong = new AtomicInteger();
    all(
        count,
        n ->
            cars.get(key(n))
                .onSuccess(
                    found -> {
                      if (found.json().getInteger("n") != n) {
                        wrong.incrementAndGet();
                      }
                    }));
    System.out.println("read in " + seconds(startNs) + ", wrong " + wrong + ";");
    startNs = System.nanoTime();
    Query query = new Query().setSort("n").setLimit(Query.MAX_LIMIT);
    int next = 0;
    do {
      QueryPage page = cars.query(query).await();
      for (Document found : page.documents()) {
        wrong.addAndGet(found.json().getInteger("n") == next++ ? 0 : 1);
      }
      query.setCursor(page.cursor());
    } while (query.getCursor() != null);
    System.out.println("queried " + next + " in " + seconds(startNs));
    int different = next == count ? wrong.get() : -1;
    startNs = System.nanoTime();
    for (int n = 0; n < count; n += count / EQUALITIES) {
      QueryPage page = cars.query(new Query().setFilter("n = " + n)).await();
      different += page.documents().size() == 1 ? 0 : 1;
    }
    System.out.println(EQUALITIES + " equalities in " + seconds(startNs));
    System.out.println("wrong in queries " + different + ";");
    DocumentsStats stats = documents.stats();
    System.out.println("resident " + cars.stats().residentDocuments() + ", " + stats);
    documents.close().await();
    vertx.close().await();
    System.out.println("closed");
  }

  private static String seconds(long startNs) {
    return (System.nanoTime() - startNs) / 1_000_000_000 + " s";
  }

  private static String key(int n) {
    return String.format("car-%07d", n);
  }

  private static JsonObject content(int n) {
    return new JsonObject().put("n", n).put("text", TEXT);
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
