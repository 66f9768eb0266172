package dev.weir.state;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.CLOSED;
import static dev.weir.state.DocumentFailure.EXISTS;
import static dev.weir.state.DocumentFailure.IMMUTABLE;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.REFUSED;
import static dev.weir.state.DocumentFailure.RULE_FAILED;
import static dev.weir.state.DocumentFailure.STORE_FAILED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;
import static dev.weir.state.DocumentFailure.UNREADABLE;
import static dev.weir.state.DocumentFailure.VERSION_MISMATCH;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.Undeclared;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DocumentsTest extends StateTestBase {
  private static final WriteOptions ANY = WriteOptions.DEFAULT;

  @Test
  void aStoredDocumentThatCannotBeDecodedIsNoFaultOfTheRequest() {
    Document broken = new Document("a", 1, 0, "{".getBytes(UTF_8));
    assertThatThrownBy(broken::json)
        .isInstanceOfSatisfying(
            DocumentException.class, e -> assertThat(e.failure()).isEqualTo(UNREADABLE))
        .hasMessageStartingWith("the stored document cannot be decoded: ");
    assertThatThrownBy(() -> broken.buffer(DocumentFormat.CBOR))
        .isInstanceOfSatisfying(
            DocumentException.class, e -> assertThat(e.failure()).isEqualTo(UNREADABLE));
  }

  @Test
  void aDocumentIsCreatedReadReplacedAndDeleted() {
    DocumentFactory cars = factory("cars");
    Document created = done(cars.create("a", json("{'color':'red'}")));
    assertThat(created.version()).isEqualTo(1);
    assertThat(created.key()).isEqualTo("a");
    Document replaced = done(cars.replace("a", json("{'color':'blue'}")));
    assertThat(replaced.version()).isEqualTo(2);
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'color':'blue'}"));
    assertThat(done(cars.delete("a")).json()).isEqualTo(json("{'color':'blue'}"));
    assertFails(cars.get("a"), NOT_FOUND, "document a does not exist");
    assertFails(cars.delete("a"), NOT_FOUND, "document a does not exist");
  }

  @Test
  void putCreatesOrReplaces() {
    DocumentFactory cars = factory("cars");
    assertThat(done(cars.put("a", json("{'n':1}"))).version()).isEqualTo(1);
    assertThat(done(cars.put("a", json("{'n':2}"))).version()).isEqualTo(2);
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':2}"));
  }

  @Test
  void createOfADocumentThatExistsAndReplaceOfNoneFail() {
    DocumentFactory cars = factory("cars");
    assertFails(cars.replace("a", json("{}")), NOT_FOUND, "document a does not exist");
    done(cars.create("a", json("{'n':1}")));
    assertFails(cars.create("a", json("{'n':2}")), EXISTS, "document a exists");
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
  }

  @Test
  void theVersionOfADeletedDocumentNeverComesAgain() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{}")));
    done(cars.put("a", json("{}")));
    done(cars.delete("a"));
    assertThat(done(cars.create("a", json("{}"))).version()).isEqualTo(3);
    done(cars.delete("a"));
    reopen();
    assertThat(done(factory("cars").create("a", json("{}"))).version()).isEqualTo(4);
  }

  @Test
  void documentsAndVersionsOutliveTheStore() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{'n':1}")));
    done(cars.put("a", json("{'n':2}")));
    reopen();
    Document found = done(factory("cars").get("a"));
    assertThat(found.version()).isEqualTo(2);
    assertThat(found.json()).isEqualTo(json("{'n':2}"));
  }

  @Test
  void aWriteThatExpectsAnotherVersionChangesNothing() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{'n':1}")));
    done(cars.put("a", json("{'n':2}")));
    String refusal = "document a has version 2, expected is version 1";
    WriteOptions first = ANY.expect(Expected.version(1));
    assertFails(cars.put("a", json("{}"), first), VERSION_MISMATCH, refusal);
    assertFails(cars.replace("a", json("{}"), first), VERSION_MISMATCH, refusal);
    assertFails(cars.merge("a", json("{}"), first), VERSION_MISMATCH, refusal);
    assertFails(cars.patch("a", new JsonArray(), first), VERSION_MISMATCH, refusal);
    assertFails(cars.delete("a", first), VERSION_MISMATCH, refusal);
    assertFails(
        cars.put("a", json("{}"), ANY.expect(Expected.absent())),
        VERSION_MISMATCH,
        "expected is no document");
    assertFails(
        cars.put("b", json("{}"), ANY.expect(Expected.present())),
        VERSION_MISMATCH,
        "document b does not exist, expected is a document");
    assertThat(done(cars.get("a")).version()).isEqualTo(2);
    WriteOptions second = ANY.expect(Expected.version(2));
    assertThat(done(cars.put("a", json("{'n':3}"), second)).version()).isEqualTo(3);
  }

  @Test
  void ofManyWritesThatExpectOneVersionOneSucceeds() {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{'n':0}")));
    List<Future<Document>> writes =
        IntStream.range(0, 100)
            .mapToObj(
                n -> cars.put("a", new JsonObject().put("n", n), ANY.expect(Expected.version(1))))
            .toList();
    Await.until("all end", () -> writes.stream().allMatch(Future::isComplete));
    assertThat(writes).filteredOn(Future::succeeded).hasSize(1);
    assertThat(done(cars.get("a")).version()).isEqualTo(2);
  }

  @Test
  void operationsOnOneKeyRunInTheOrderOfTheirCalls() {
    DocumentFactory cars = factory("cars");
    List<Future<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      writes.add(cars.put("a", new JsonObject().put("n", i)));
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(done(writes.get(i)).version()).isEqualTo(i + 1);
    }
    assertThat(done(cars.get("a")).json().getInteger("n")).isEqualTo(999);
  }

  @Test
  void aCallerMayChangeItsObjectAfterTheCall() {
    DocumentFactory cars = factory("cars");
    JsonObject content = json("{'n':1}");
    Future<Document> written = cars.put("a", content);
    content.put("n", 2);
    assertThat(done(written).json()).isEqualTo(json("{'n':1}"));
    done(cars.get("a")).json().put("n", 3);
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
  }

  @Test
  void factoriesAreApart() {
    DocumentFactory cars = factory("cars");
    DocumentFactory bikes = factory("bikes");
    done(cars.put("a", json("{'wheels':4}")));
    assertFails(bikes.get("a"), NOT_FOUND, "document a does not exist");
    done(bikes.put("a", json("{'wheels':2}")));
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'wheels':4}"));
    assertThat(Futures.failure("twice", documents.factory("cars", new FactoryOptions())))
        .hasMessage("factory cars is open already");
    assertThat(Futures.failure("name", documents.factory("a/b", new FactoryOptions())))
        .hasMessageContaining("factory is a/b");
  }

  @Test
  void documentsOfAnImmutableFactoryAreCreatedAndDeletedOnly() {
    DocumentFactory events = factory("events", new FactoryOptions().setImmutable(true));
    done(events.put("a", json("{'n':1}")));
    assertFails(events.put("a", json("{}")), IMMUTABLE, "document a cannot be changed");
    assertFails(events.merge("a", json("{}")), IMMUTABLE, "document a cannot be changed");
    assertThat(done(events.get("a")).json()).isEqualTo(json("{'n':1}"));
    done(events.delete("a"));
    done(events.create("a", json("{'n':2}")));
  }

  @Test
  void aKeyThatIsTooLongOrEmptyIsRefused() {
    DocumentFactory cars = factory("cars");
    assertFails(
        cars.put("k".repeat(10 << 10), json("{}")),
        TOO_LARGE,
        "the key has 10240 characters, allowed are 512 bytes");
    assertFails(cars.put("\u20ac".repeat(200), json("{}")), TOO_LARGE, "200 characters");
    assertFails(cars.get(""), BAD_REQUEST, "the key is missing or empty");
    assertFails(cars.get(null), BAD_REQUEST, "the key is missing or empty");
    assertFails(cars.get("a\ud800"), BAD_REQUEST, "half a character");
    done(cars.put("\ud83d\ude97 / \u00e4", json("{}")));
    done(cars.get("\ud83d\ude97 / \u00e4"));
    assertThat(cars.stats().failed()).isEqualTo(5);
  }

  @Test
  void aDocumentOverTheLimitIsRefusedAndNothingIsChanged() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setMaxDocumentBytes(100));
    done(cars.put("a", json("{'n':1}")));
    JsonObject large = new JsonObject().put("text", "x".repeat(100));
    assertFails(cars.put("a", large), TOO_LARGE, "would have 111 bytes, allowed are 100");
    assertFails(cars.merge("a", large), TOO_LARGE, "allowed are 100");
    assertThat(done(cars.get("a")).version()).isEqualTo(1);
  }

  @Test
  void aContentThatJsonCannotSayIsRefused() {
    DocumentFactory cars = factory("cars");
    assertFails(
        cars.put("a", new JsonObject().put("thread", Thread.currentThread())),
        BAD_REQUEST,
        "the content cannot be written as JSON");
    JsonObject deep = new JsonObject();
    JsonObject inner = deep;
    for (int i = 0; i < 100_000; i++) {
      JsonObject next = new JsonObject();
      inner.put("i", next);
      inner = next;
    }
    assertFails(cars.put("a", deep), BAD_REQUEST, "the content cannot be written as JSON");
    assertFails(cars.put("a", null), BAD_REQUEST, "JSON");
    assertFails(cars.get("a"), NOT_FOUND, "document a does not exist");
  }

  @Test
  void aValidatorRefusesOrCompletesAContent() {
    FactoryRules rules =
        new FactoryRules()
            .setValidator(
                (current, next) -> {
                  if (!next.containsKey("plate")) {
                    throw new RefusedException("plate is missing");
                  }
                  if ("bug".equals(next.getString("plate"))) {
                    throw new IllegalStateException("a bug");
                  }
                  next.put("changes", current == null ? 0 : current.version());
                });
    DocumentFactory cars = factory("cars", new FactoryOptions(), rules);
    assertFails(cars.put("a", json("{}")), REFUSED, "plate is missing");
    assertFails(cars.put("a", json("{'plate':'bug'}")), RULE_FAILED, "the validator of factory");
    assertFails(cars.get("a"), NOT_FOUND, "document a does not exist");
    done(cars.put("a", json("{'plate':'x'}")));
    assertFails(cars.merge("a", json("{'plate':null}")), REFUSED, "plate is missing");
    assertThat(done(cars.merge("a", json("{'n':1}"))).json())
        .isEqualTo(json("{'plate':'x','changes':1,'n':1}"));
  }

  @Test
  void anActionReadsWritesAndDeletes() {
    FactoryRules rules =
        new FactoryRules()
            .addAction(
                "add",
                (current, body) -> {
                  int before = current == null ? 0 : current.json().getInteger("n");
                  int after = before + body.getInteger("by", 1);
                  if (after > 10) {
                    throw new RefusedException("at most 10");
                  }
                  JsonObject content = new JsonObject().put("n", after);
                  return ActionResult.write(content, new JsonObject().put("before", before));
                })
            .addAction("look", (current, body) -> ActionResult.keep(current.json()))
            .addAction("drop", (current, body) -> ActionResult.delete(new JsonObject()))
            .addAction("nothing", (current, body) -> null)
            .addAction(
                "undeclared", (current, body) -> Undeclared.raise(new IOException("a file")));
    DocumentFactory counts = factory("counts", new FactoryOptions(), rules);
    assertThat(done(counts.act("a", "add", null)).getInteger("before")).isZero();
    assertThat(done(counts.act("a", "add", json("{'by':5}"))).getInteger("before")).isEqualTo(1);
    assertFails(counts.act("a", "add", json("{'by':5}")), REFUSED, "at most 10");
    assertThat(done(counts.act("a", "look", null))).isEqualTo(json("{'n':6}"));
    assertFails(counts.act("b", "look", null), RULE_FAILED, "action look");
    assertFails(counts.act("a", "nothing", null), RULE_FAILED, "returned nothing");
    assertFails(counts.act("a", "undeclared", null), RULE_FAILED, "action undeclared");
    assertFails(counts.act("a", "fly", null), BAD_REQUEST, "factory counts has no action fly");
    assertThat(done(counts.get("a")).version()).isEqualTo(2);
    done(counts.act("a", "drop", null));
    assertFails(counts.get("a"), NOT_FOUND, "document a does not exist");
  }

  @Test
  void actionsOfOneKeyLoseNothing() {
    FactoryRules rules =
        new FactoryRules()
            .addAction(
                "add",
                (current, body) -> {
                  int n = current == null ? 0 : current.json().getInteger("n");
                  return ActionResult.write(new JsonObject().put("n", n + 1), new JsonObject());
                });
    DocumentFactory counts = factory("counts", new FactoryOptions(), rules);
    List<Future<JsonObject>> adds =
        IntStream.range(0, 2_000).mapToObj(i -> counts.act("key-" + i % 7, "add", null)).toList();
    adds.forEach(StateTestBase::done);
    int sum =
        IntStream.range(0, 7).map(i -> done(counts.get("key-" + i)).json().getInteger("n")).sum();
    assertThat(sum).isEqualTo(2_000);
  }

  @Test
  void aClosedStoreRefuses() {
    DocumentFactory cars = factory("cars");
    Future<Document> last = cars.put("a", json("{}"));
    Futures.result("the store closes", documents.close());
    done(last);
    assertFails(cars.put("a", json("{}")), CLOSED, "the store is closed");
    assertFails(cars.get("a"), CLOSED, "the store is closed");
    Throwable late = Futures.failure("a factory", documents.factory("late", new FactoryOptions()));
    assertThat(late).isInstanceOf(IllegalStateException.class).hasMessage("the store is closed");
  }

  @Test
  void aDirectoryInUseIsRefusedWithOneLine() {
    assertFails(Documents.open(vertx, options()), STORE_FAILED, "is in use by this process");
  }

  @Test
  void aNameThatARouteHasIsRefused() {
    assertThat(
            Futures.failure(
                "the name is taken", documents.factory("openapi.json", new FactoryOptions())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("factory is openapi.json, allowed is")
        .hasMessageContaining("/documents/openapi.json");
  }

  /** The launcher ends a program with exit code 3 for such a cause. */
  @Test
  void aDirectoryThatCannotBeOpenedIsNamedAsTheCause() throws IOException {
    Path broken = Files.createDirectory(directory.resolve("broken"));
    Files.createDirectory(broken.resolve("00000000.jdb"));
    Throwable failure =
        Futures.failure(
            "the store opens", Documents.open(vertx, options().setDirectory(broken.toString())));
    assertThat(failure)
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("cannot open the store in " + broken)
        .hasCauseInstanceOf(QueueException.class);
  }
}
