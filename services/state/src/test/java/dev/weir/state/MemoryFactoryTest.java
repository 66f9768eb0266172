package dev.weir.state;

import static dev.weir.state.DocumentFailure.EXISTS;
import static dev.weir.state.DocumentFailure.MEMORY_FULL;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.VERSION_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.HeapBudget;
import dev.weir.options.HeapBudget.Share;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MemoryFactoryTest extends StateTestBase {
  private static final FactoryOptions IN_MEMORY = new FactoryOptions().setPersisted(false);

  @Override
  DocumentsOptions options() {
    return super.options().setMemoryBytes(DocumentsOptions.MIN_BUDGET_BYTES);
  }

  @Test
  void allOperationsWorkWithoutADirectory() {
    Futures.result("the store closes", documents.close());
    open(options().setDirectory(null));
    DocumentFactory cars = factory("cars", IN_MEMORY);
    assertThat(done(cars.create("a", json("{'n':1}"))).version()).isEqualTo(1);
    assertFails(cars.create("a", json("{}")), EXISTS, "document a exists");
    assertThat(done(cars.put("a", json("{'n':2}"))).version()).isEqualTo(2);
    assertThat(done(cars.merge("a", json("{'m':3}"))).json()).isEqualTo(json("{'n':2,'m':3}"));
    JsonArray patch = new JsonArray("[{\"op\":\"remove\",\"path\":\"/n\"}]");
    assertThat(done(cars.patch("a", patch)).json()).isEqualTo(json("{'m':3}"));
    WriteOptions stale = WriteOptions.DEFAULT.expect(Expected.version(3));
    assertFails(cars.put("a", json("{}"), stale), VERSION_MISMATCH, "has version 4");
    assertThat(done(cars.delete("a")).version()).isEqualTo(4);
    assertFails(cars.get("a"), NOT_FOUND, "does not exist");
    assertFails(cars.replace("a", json("{}")), NOT_FOUND, "does not exist");
    assertThat(done(cars.put("a", json("{}"))).version()).isEqualTo(5);
    assertThat(cars.stats().residentDocuments()).isEqualTo(1);
    assertThat(Futures.failure("factory", documents.factory("kept", new FactoryOptions())))
        .hasMessage("the store has no directory, so factory kept cannot be persisted");
  }

  @Test
  void documentsAreGoneWhenTheStoreCloses() {
    done(factory("cars", IN_MEMORY).put("a", json("{}")));
    reopen();
    assertFails(factory("cars", IN_MEMORY).get("a"), NOT_FOUND, "does not exist");
    assertThat(documents.stats().commits()).isZero();
  }

  @Test
  void whatADirectoryHasOfTheNameStaysThereUnseen() {
    done(factory("cars").put("a", json("{}")));
    reopen();
    assertFails(factory("cars", IN_MEMORY).get("a"), NOT_FOUND, "does not exist");
    reopen();
    assertThat(done(factory("cars").get("a")).version()).isEqualTo(1);
  }

  @Test
  void aFullMemoryRefusesMoreAndTakesWhatBecomesSmaller() {
    DocumentFactory cars =
        factory("cars", new FactoryOptions(IN_MEMORY).setIndexes(List.of("text")));
    int count = 0;
    Future<Document> last;
    do {
      last = cars.put("key-" + count++, text(count));
    } while (last.succeeded());
    assertFails(last, MEMORY_FULL, "documents that are only in memory have");
    assertFails(cars.get("key-" + (count - 1)), NOT_FOUND, "does not exist");
    DocumentsStats full = documents.stats();
    assertThat(full.memoryBytes())
        .isBetween(full.memoryLimitBytes() * 9 / 10, full.memoryLimitBytes());
    done(cars.put("key-0", json("{}")));
    done(cars.put("key-x", json("{}")));
    for (int i = 0; i < count - 1; i++) {
      done(cars.delete("key-" + i));
    }
    done(cars.delete("key-x"));
    assertThat(documents.stats().memoryBytes()).isZero();
    assertThat(cars.stats().residentDocuments()).isZero();
  }

  private static JsonObject text(int n) {
    return new JsonObject().put("text", n + "x".repeat(1_000));
  }

  @Test
  void aDocumentThatExpiresLeavesTheMemory() {
    DocumentFactory cars = factory("cars", new FactoryOptions(IN_MEMORY).setExpiryMs(20));
    done(cars.put("a", json("{}")));
    Await.until("nothing is held", () -> documents.stats().memoryBytes() == 0);
    assertFails(cars.get("a"), NOT_FOUND, "does not exist");
  }

  @Test
  void validatorsAndActionsRunOnAThreadOfTheStoreAndMayCallTheFactory() {
    List<String> threads = new ArrayList<>();
    DocumentFactory[] self = new DocumentFactory[1];
    FactoryRules rules =
        new FactoryRules()
            .setValidator((current, next) -> threads.add(Thread.currentThread().getName()))
            .addAction(
                "copy",
                (current, body) -> {
                  self[0].put(body.getString("to"), current.json());
                  return ActionResult.keep(new JsonObject());
                });
    self[0] = factory("cars", IN_MEMORY, rules);
    done(self[0].put("a", json("{'n':1}")));
    done(self[0].act("a", "copy", json("{'to':'b'}")));
    Await.until("the copy is there", () -> self[0].get("b").succeeded());
    assertThat(threads).hasSize(2).allMatch(name -> name.startsWith("weir-documents-"));
  }

  @Test
  void changesOfOneKeyFromManyThreadsLoseNothing() throws InterruptedException {
    DocumentFactory cars = factory("cars", IN_MEMORY);
    int changes = 5_000;
    CountDownLatch ended = new CountDownLatch(3);
    for (int t = 0; t < 3; t++) {
      String member = "m" + t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 1; i <= changes; i++) {
                  cars.merge("a", new JsonObject().put(member, i));
                  if (i % 100 == 0) {
                    cars.delete("b");
                    cars.put("b", new JsonObject());
                  }
                }
                ended.countDown();
              });
      if (t == 0) {
        done(cars.put("a", json("{}")));
      }
      thread.start();
    }
    ended.await();
    Document last = done(cars.get("a"));
    assertThat(last.version()).isEqualTo(1 + 3 * changes);
    assertThat(last.json()).isEqualTo(json("{'m0':5000,'m1':5000,'m2':5000}"));
    assertThat(done(cars.count(new Query()))).isEqualTo(2);
  }

  @Test
  void aStoreDrawsOnTheHeapOfItsNodeAndGivesItBack() {
    HeapBudget heap = new HeapBudget(100 << 20, 20);
    DocumentsOptions other =
        new DocumentsOptions().setDirectory(directory.resolve("node").toString());
    Documents store = Futures.result("the store opens", Documents.open(vertx, other, heap));
    long shareBytes = heap.share(Share.DOCUMENTS).limitBytes();
    assertThat(shareBytes).isEqualTo(20 << 20);
    assertThat(store.stats().residentLimitBytes()).isEqualTo(shareBytes / 5 * 2);
    assertThat(store.stats().memoryLimitBytes()).isEqualTo(shareBytes / 5);
    assertThat(store.stats().inFlightLimitBytes()).isEqualTo(shareBytes / 5);
    assertThat(heap.share(Share.DOCUMENTS).usedBytes()).isEqualTo(shareBytes / 5);
    DocumentFactory kept = Futures.result("kept", store.factory("kept", new FactoryOptions()));
    DocumentFactory cars = Futures.result("cars", store.factory("cars", IN_MEMORY));
    done(cars.put("a", text(1)));
    done(kept.put("a", text(1)));
    Await.until(
        "both documents are counted",
        () -> heap.share(Share.DOCUMENTS).usedBytes() > shareBytes / 5 + 2_000);
    Futures.result("the store closes", store.close());
    assertThat(heap.share(Share.DOCUMENTS).usedBytes()).isZero();
    Documents inMemory =
        Futures.result(
            "a store without files", Documents.open(vertx, other.setDirectory(null), heap));
    assertThat(inMemory.stats().memoryLimitBytes()).isEqualTo(shareBytes / 5 * 3);
    Futures.result("it closes", inMemory.close());
    assertThat(Futures.failure("open", Documents.open(vertx, other, new HeapBudget(100 << 20))))
        .hasMessage("documentsPercent is 0, so this node has no heap for documents");
  }
}
