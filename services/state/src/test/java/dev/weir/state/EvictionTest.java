package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class EvictionTest extends StateTestBase {
  private static final int DOCUMENTS = 5_000;

  @Override
  DocumentsOptions options() {
    return super.options().setResidentBytes(DocumentsOptions.MIN_BUDGET_BYTES);
  }

  @Test
  void documentsLeaveTheMemoryAndComeBackWhenTheyAreAskedFor() {
    DocumentFactory cars = factory("cars");
    String text = "x".repeat(500);
    List<Future<Document>> writes = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      writes.add(cars.put("key-" + i, json("{'n':" + i + ",'text':'" + text + "'}")));
    }
    writes.forEach(StateTestBase::done);
    for (int i = 0; i < DOCUMENTS; i++) {
      assertThat(done(cars.get("key-" + i)).json().getInteger("n")).isEqualTo(i);
    }
    Await.until("the memory is within its limit", this::isWithinItsLimit);
    assertThat(documents.stats().evictions()).isPositive();
    assertThat(cars.stats().residentDocuments()).isLessThan(DOCUMENTS / 2);
    for (int i = 0; i < DOCUMENTS; i += 100) {
      assertThat(done(cars.merge("key-" + i, json("{'m':1}"))).version()).isEqualTo(2);
    }
    Await.until("all is given back", () -> documents.stats().inFlightBytes() == 0);
  }

  @Test
  void documentsThatWaitedForTheirCommitLeaveTheMemoryAfterItWithoutAnyOperation() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setCommitIntervalMs(500));
    String text = "x".repeat(500);
    List<Future<Document>> writes = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      writes.add(cars.put("key-" + i, json("{'text':'" + text + "'}")));
    }
    writes.forEach(StateTestBase::done);
    Await.until("the memory is within its limit", this::isWithinItsLimit);
  }

  private boolean isWithinItsLimit() {
    return documents.stats().residentBytes() <= documents.stats().residentLimitBytes();
  }

  @Test
  void aDocumentInUseStays() {
    DocumentFactory cars = factory("cars");
    String text = "x".repeat(500);
    done(cars.put("used", json("{}")));
    for (int i = 0; i < DOCUMENTS; i++) {
      done(cars.put("key-" + i, json("{'text':'" + text + "'}")));
      done(cars.get("used"));
    }
    assertThat(cars.stats().loads()).isEqualTo(DOCUMENTS + 1L);
  }

  @Test
  void keysWithoutADocumentTakeNoMemory() {
    DocumentFactory cars = factory("cars");
    for (int i = 0; i < 100; i++) {
      assertFails(cars.get("none-" + i), DocumentFailure.NOT_FOUND, "does not exist");
    }
    assertThat(cars.stats().residentDocuments()).isZero();
  }

  @Test
  void operationsAboveTheBudgetAreRefusedAndTheStoreGoesOn() {
    stop();
    vertx = Vertx.vertx();
    open(options().setInFlightBytes(DocumentsOptions.MIN_BUDGET_BYTES));
    CountDownLatch sent = new CountDownLatch(1);
    FactoryRules rules =
        new FactoryRules()
            .setValidator(
                (current, next) -> Await.until("all are sent", () -> sent.getCount() == 0));
    DocumentFactory cars = factory("cars", new FactoryOptions(), rules);
    String text = "x".repeat(100_000);
    List<Future<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      writes.add(cars.put("key-" + i % 3, json("{'text':'" + text + "'}")));
    }
    sent.countDown();
    int busy = 0;
    for (Future<Document> write : writes) {
      Await.until("it ends", write::isComplete);
      if (write.failed()) {
        assertFails(write, DocumentFailure.BUSY, "too many bytes");
        busy++;
      }
    }
    assertThat(busy).isBetween(1, 299);
    done(cars.put("key-0", json("{}")));
    Await.until("all is given back", () -> documents.stats().inFlightBytes() == 0);
  }
}
