package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Many changes of few keys at once: only the last of a batch is written, with its entries. */
class CoalescingTest extends StateTestBase {
  private static final int CHANGES = 4_000;
  private static final int KEYS = 5;

  @Override
  DocumentsOptions options() {
    return super.options().setThreads(1);
  }

  @Test
  void whatIsOnDiskIsTheLastVersionWithItsIndexEntriesOnly() {
    FactoryOptions indexed = new FactoryOptions().setIndexes(List.of("n", "even"));
    CountDownLatch sent = new CountDownLatch(1);
    DocumentFactory cars = factory("cars", indexed, waiting(sent));
    // The thread of the documents takes all changes at once, however slowly they are sent.
    Future<JsonObject> waits = cars.act("busy", "wait", new JsonObject());
    Random random = new Random(5);
    List<Future<?>> all = new ArrayList<>();
    Integer[] last = new Integer[KEYS];
    for (int i = 0; i < CHANGES; i++) {
      int key = random.nextInt(KEYS);
      if (random.nextInt(5) == 0) {
        all.add(cars.delete("key-" + key).otherwiseEmpty());
        last[key] = null;
      } else {
        int n = random.nextInt(20);
        JsonObject content = new JsonObject().put("n", n).put("even", n % 2 == 0);
        WriteOptions expiring = WriteOptions.DEFAULT.expireAfterMs(i % 2 == 0 ? 3_600_000 : 0);
        all.add(cars.put("key-" + key, content, expiring));
        last[key] = n;
      }
    }
    sent.countDown();
    done(waits);
    done(Future.join(all));

    check(cars, last);
    assertThat(documents.stats().changes()).isGreaterThan(documents.stats().commits() * KEYS);
    reopen();
    check(factory("cars", indexed), last);
  }

  private static FactoryRules waiting(CountDownLatch latch) {
    return new FactoryRules()
        .addAction(
            "wait",
            (document, body) -> {
              Await.until("all are sent", () -> latch.getCount() == 0);
              return ActionResult.keep(new JsonObject());
            });
  }

  private static void check(DocumentFactory cars, Integer[] last) {
    int alive = 0;
    for (int key = 0; key < KEYS; key++) {
      Integer n = last[key];
      if (n == null) {
        assertFails(cars.get("key-" + key), DocumentFailure.NOT_FOUND, "does not exist");
      } else {
        alive++;
        assertThat(done(cars.get("key-" + key)).json().getInteger("n")).isEqualTo(n);
        assertThat(done(cars.query(new Query().setFilter("n = " + n))).documents())
            .extracting(Document::key)
            .contains("key-" + key);
      }
    }
    assertThat(done(cars.count(new Query().setFilter("n >= 0")))).isEqualTo(alive);
    assertThat(done(cars.query(new Query().setSort("n"))).documents()).hasSize(alive);
  }

  @Test
  void aVersionNeverComesAgainForAKeyThatIsDeletedAndCreatedInOneBatch() {
    DocumentFactory cars = factory("cars");
    List<Future<Document>> made = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      made.add(cars.create("a", new JsonObject()));
      cars.delete("a");
    }
    long before = 0;
    for (Future<Document> each : made) {
      long version = done(each).version();
      assertThat(version).isGreaterThan(before);
      before = version;
    }
    reopen();
    assertThat(done(factory("cars").create("a", new JsonObject())).version()).isGreaterThan(before);
  }
}
