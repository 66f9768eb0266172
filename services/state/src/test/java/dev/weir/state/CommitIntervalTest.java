package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommitIntervalTest extends StateTestBase {
  private final AtomicInteger left = new AtomicInteger(20_000);

  private static final FactoryOptions NEVER = new FactoryOptions().setCommitIntervalMs(3_600_000);

  @Test
  void aWriteIsAcknowledgedAndReadBeforeItIsCommitted() {
    DocumentFactory cars = factory("cars", NEVER);
    done(cars.put("a", json("{'n':1}")));
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
    assertThat(done(cars.put("a", json("{'n':2}"))).version()).isEqualTo(2);
    assertThat(documents.stats().changes()).isZero();
  }

  @Test
  void aQueryFindsADocumentByItsCommittedValueUntilTheNextCommit() {
    DocumentFactory cars = factory("cars", new FactoryOptions(NEVER).setIndexes(List.of("color")));
    DocumentFactory safe = factory("safe");
    done(cars.put("a", json("{'color':'red'}")));
    done(safe.put("commit", json("{}")));

    done(cars.put("a", json("{'color':'blue'}")));
    done(cars.put("b", json("{'color':'blue'}")));
    assertThat(found(cars, "color = 'red'")).containsExactly(json("{'color':'red'}"));
    assertThat(found(cars, "color = 'blue'")).isEmpty();
    assertThat(found(cars, null)).containsExactly(json("{'color':'red'}"));

    done(safe.put("commit", json("{}")));
    assertThat(found(cars, "color = 'red'")).isEmpty();
    assertThat(found(cars, "color = 'blue'")).hasSize(2);

    done(cars.delete("a"));
    assertThat(found(cars, null)).hasSize(2);
    done(safe.put("commit", json("{}")));
    assertThat(found(cars, null)).hasSize(1);
  }

  private static List<JsonObject> found(DocumentFactory factory, String filter) {
    return done(factory.query(new Query().setFilter(filter))).documents().stream()
        .map(Document::json)
        .toList();
  }

  @Test
  void earlierVersionsAreReadBeforeTheirCommitOrNamedAsNotKept() {
    DocumentFactory cars = factory("cars", new FactoryOptions(NEVER).setHistoryVersions(2));
    DocumentFactory safe = factory("safe");
    done(cars.put("a", json("{'n':1}")));
    done(safe.put("commit", json("{}")));
    done(cars.put("a", json("{'n':2}")));
    assertThat(done(cars.versions("a"))).extracting(DocumentVersion::version).containsExactly(1L);
    assertThat(done(cars.get("a", 1)).json()).isEqualTo(json("{'n':1}"));
    done(safe.put("commit", json("{}")));
    assertThat(done(cars.get("a", 1)).json()).isEqualTo(json("{'n':1}"));
    assertThat(done(cars.get("a", 2)).json()).isEqualTo(json("{'n':2}"));
  }

  /** Or else a kill could lose a write and keep another one that was made because of it. */
  @Test
  void whatIsReadIsCommittedBeforeWhatIsWrittenAfterwards() {
    Semaphore held = new Semaphore(0);
    Semaphore released = new Semaphore(0);
    FactoryRules rules =
        new FactoryRules()
            .addAction(
                "hold",
                (current, body) -> {
                  held.release();
                  released.acquireUninterruptibly();
                  return ActionResult.keep(new JsonObject());
                });
    DocumentFactory cars = factory("cars", NEVER, rules);
    DocumentFactory safe = factory("safe");
    Future<JsonObject> first = cars.act("a", "hold", null);
    held.acquireUninterruptibly();
    Future<Document> put = cars.put("a", json("{}"));
    Future<JsonObject> second = cars.act("a", "hold", null);
    released.release();
    done(first);
    // The put is decided now, in one turn with the second action.
    held.acquireUninterruptibly();
    boolean isRead = isThere(cars);
    List<Future<Document>> writes =
        IntStream.range(0, 20).mapToObj(n -> safe.put("k" + n, json("{}"))).toList();
    Await.until(
        "one of the other thread is committed", () -> writes.stream().anyMatch(Future::succeeded));
    Path copy = directory.resolve("copy");
    copyOfOpenDirectory(copy);
    released.release();
    done(put);
    done(second);
    done(Future.all(writes));
    done(documents.close());
    open(options().setDirectory(copy.toString()));
    assertThat(isThere(factory("cars", NEVER))).isEqualTo(isRead);
  }

  private static boolean isThere(DocumentFactory cars) {
    return done(cars.get("a").map(found -> true).otherwise(false));
  }

  @Test
  void closingCommitsWhatIsAcknowledged() {
    DocumentFactory cars = factory("cars", NEVER);
    done(cars.put("a", json("{'n':1}")));
    done(cars.put("b", json("{'n':1}")));
    done(cars.delete("b"));
    reopen();
    cars = factory("cars", NEVER);
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
    assertFails(cars.get("b"), DocumentFailure.NOT_FOUND, "b");
  }

  @Test
  void aWriteIsCommittedWhenTheIntervalIsOver() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setCommitIntervalMs(20));
    done(cars.put("a", json("{}")));
    Await.until("it is committed", () -> documents.stats().changes() == 1);
  }

  @Test
  void aCommitOfAnotherFactoryTakesItAlong() {
    DocumentFactory cars = factory("cars", NEVER);
    DocumentFactory safe = factory("safe", new FactoryOptions().setDurability(Durability.MACHINE));
    done(cars.put("a", json("{}")));
    done(safe.put("a", json("{}")));
    assertThat(documents.stats().changes()).isEqualTo(2);
    assertThat(documents.stats().commits()).isEqualTo(1);
  }

  @Test
  void aFloodIsSlowedToTheSpeedOfCommitsAndNotRefused() {
    stop();
    vertx = Vertx.vertx();
    open(options().setInFlightBytes(DocumentsOptions.MIN_BUDGET_BYTES));
    DocumentFactory cars = factory("cars", NEVER);
    Promise<Void> ended = Promise.promise();
    Context context = vertx.getOrCreateContext();
    context.runOnContext(start -> IntStream.range(0, 200).forEach(n -> flood(cars, n, ended)));
    done(ended.future());
    assertThat(documents.stats().changes()).isPositive();
    assertThat(done(cars.get("key-0")).version()).isEqualTo(200);
    reopen();
    assertThat(done(factory("cars", NEVER).get("key-0")).version()).isEqualTo(200);
  }

  /** Writes in steps of 200 until 20,000 are written. */
  private void flood(DocumentFactory cars, int n, Promise<Void> ended) {
    JsonObject content = new JsonObject().put("n", n).put("text", "x".repeat(300));
    cars.put("key-" + n % 100, content)
        .onFailure(ended::tryFail)
        .onSuccess(
            written -> {
              if (n + 200 < 20_000) {
                flood(cars, n + 200, ended);
              }
              if (left.decrementAndGet() == 0) {
                ended.tryComplete();
              }
            });
  }

  @Test
  void whatIsNotCommittedDoesNotLeaveTheMemory() {
    stop();
    start();
    DocumentFactory cars = factory("cars", NEVER);
    String text = "x".repeat(1_000);
    for (int i = 0; i < 1_000; i++) {
      done(cars.put("key-" + i, json("{'text':'" + text + "'}")));
    }
    for (int i = 0; i < 1_000; i++) {
      done(cars.get("key-" + i));
    }
    assertThat(cars.stats().residentDocuments()).isEqualTo(1_000);
  }
}
