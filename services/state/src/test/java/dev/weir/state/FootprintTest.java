package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a document in memory really takes, beside what it is counted for. */
class FootprintTest extends StateTestBase {
  private static final int DOCUMENTS = 20_000;

  @Test
  void aDocumentInMemoryTakesNoMoreThanItIsCountedFor() {
    DocumentFactory cars = factory("cars");
    fill(cars, 1_000, 2_000);
    long heapBefore = heap();
    long countedBefore = documents.stats().residentBytes();
    fill(cars, 2_000, DOCUMENTS);
    long heapBytes = heap() - heapBefore;
    long counted = documents.stats().residentBytes() - countedBefore;
    int more = DOCUMENTS - 2_000;
    System.out.printf(
        "FootprintTest: %d B in memory, %d B counted, 330 B of JSON%n",
        heapBytes / more, counted / more);
    assertThat(cars.stats().residentDocuments()).isEqualTo(DOCUMENTS - 1_000L);
    // JE's own upper tree is in the heap too.
    assertThat(heapBytes).isLessThan(counted + 60L * more);
  }

  @Test
  void aPausedDocumentTakesNoHeapButItsPartOfTheTreeOfJe() {
    Futures.result("the store closes", documents.close());
    open(options().setResidentBytes(DocumentsOptions.MIN_BUDGET_BYTES));
    DocumentFactory cars = factory("cars");
    int before = 10_000;
    fill(cars, 0, before);
    awaitPaused(cars);
    long pausedBefore = cars.stats().pausedDocuments();
    long heapBefore = heap();
    fill(cars, before, before + DOCUMENTS);
    awaitPaused(cars);
    long heapBytes = heap() - heapBefore;
    long more = cars.stats().pausedDocuments() - pausedBefore;
    System.out.printf("FootprintTest: %d B for a paused document%n", heapBytes / more);
    assertThat(more).isGreaterThan(DOCUMENTS / 2);
    assertThat(heapBytes).isLessThan(60L * more);
  }

  private void awaitPaused(DocumentFactory cars) {
    Await.until(
        () -> "documents are paused: " + cars.stats(),
        () ->
            documents.stats().residentBytes() <= documents.stats().residentLimitBytes()
                && documents.stats().inFlightBytes() == 0);
  }

  private static void fill(DocumentFactory cars, int from, int to) {
    String text = "x".repeat(311);
    List<Future<Document>> writes =
        IntStream.range(from, to)
            .mapToObj(
                n ->
                    cars.put(
                        String.format("car-%07d", n),
                        new JsonObject().put("n", 1_000_000 + n).put("t", text)))
            .toList();
    writes.forEach(StateTestBase::done);
  }

  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
