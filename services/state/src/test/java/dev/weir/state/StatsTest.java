package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatsTest extends StateTestBase {
  @Override
  DocumentsOptions options() {
    return super.options().setResidentBytes(DocumentsOptions.MIN_BUDGET_BYTES).setExpirySweepMs(10);
  }

  private static void assertDocuments(DocumentFactory factory, long count) {
    assertThat(factory.stats().documents()).isEqualTo(count);
  }

  @Test
  void documentsAreCountedAsTheyComeAndGo() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{}")));
    done(cars.put("a", json("{'n':1}")));
    done(cars.put("b", json("{}")));
    assertDocuments(cars, 2);
    done(cars.delete("b"));
    done(cars.put("b", json("{}"), WriteOptions.DEFAULT.expireAfterMs(1)));
    Await.until("b has expired", () -> cars.stats().documents() == 1);
    assertFails(cars.create("a", json("{}")), DocumentFailure.EXISTS, "exists");
    assertDocuments(cars, 1);
  }

  @Test
  void theNumberOutlivesTheStoreAndIsCountedAnewAfterACrash() {
    DocumentFactory cars = factory("cars");
    for (int i = 0; i < 10; i++) {
      done(cars.put("key-" + i, json("{}")));
    }
    reopen();
    assertDocuments(factory("cars"), 10);
    done(documents.find("cars").delete("key-0"));
    Path copy = directory.resolve("copy");
    copyOfOpenDirectory(copy);
    done(documents.close());
    open(options().setDirectory(copy.toString()));
    assertDocuments(factory("cars"), 9);
  }

  @Test
  void whatIsOnDiskOnlyIsPaused() {
    DocumentFactory cars = factory("cars");
    List<Future<?>> writes = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      writes.add(cars.put("key-" + i, json("{'text':'" + "x".repeat(500) + "'}")));
    }
    done(Future.join(writes));
    Await.until("some are paused", () -> cars.stats().pausedDocuments() > 0);
    FactoryStats stats = cars.stats();
    assertThat(stats.documents()).isEqualTo(3_000);
    assertThat(stats.residentDocuments() + stats.pausedDocuments()).isEqualTo(3_000);
  }

  @Test
  void queriesAreCountedByTheirOutcome() {
    DocumentFactory cars = factory("cars");
    done(cars.query(new Query()));
    done(cars.count(new Query()));
    assertFails(
        cars.query(new Query().setFilter("price = 1")), DocumentFailure.BAD_REQUEST, "price");
    done(documents.close());
    assertFails(cars.query(new Query()), DocumentFailure.CLOSED, "closed");
    assertThat(cars.stats().queries()).isEqualTo(new QueryStats(2, 1, 0, 1));
  }

  @Test
  void aFactoryInMemoryHasNoPausedDocuments() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setPersisted(false));
    done(cars.put("a", json("{}")));
    assertDocuments(cars, 1);
    assertThat(cars.stats().pausedDocuments()).isZero();
  }

  @Test
  void streamsThatAreOpenAreCounted() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setChangeLogBytes(1_000));
    Future<ChangePage> wait = cars.changes(new ChangeQuery().setWaitMs(ChangeQuery.MAX_WAIT_MS));
    assertThat(documents.stats().streams()).isEqualTo(1);
    done(cars.put("a", json("{}")));
    done(wait);
    Await.until("none is open", () -> documents.stats().streams() == 0);
  }
}
