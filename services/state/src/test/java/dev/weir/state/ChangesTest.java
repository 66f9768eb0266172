package dev.weir.state;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.CHANGES_GONE;
import static dev.weir.state.DocumentFailure.CLOSED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangesTest extends StateTestBase {
  private static final FactoryOptions LOGGED =
      new FactoryOptions().setChangeLogBytes(1 << 20).setIndexes(List.of("color"));
  private static final long WAIT_MS = ChangeQuery.MAX_WAIT_MS;

  @Override
  DocumentsOptions options() {
    return super.options().setExpirySweepMs(10).setMaxStreams(3);
  }

  private static ChangeQuery from(long position) {
    return new ChangeQuery().setFrom(position);
  }

  private static ChangePage read(DocumentFactory factory, long from) {
    return done(factory.changes(from(from)));
  }

  private static List<String> texts(ChangePage page) {
    return page.changes().stream()
        .map(
            each ->
                each.kind()
                    + " "
                    + each.key()
                    + " "
                    + each.version()
                    + (each.document() == null ? "" : " " + each.document().json().encode()))
        .toList();
  }

  private static JsonObject color(String color) {
    return new JsonObject().put("color", color);
  }

  private static JsonObject n(int n) {
    return new JsonObject().put("n", n);
  }

  @Test
  void changesComeInOrderWithTheirDocuments() {
    DocumentFactory cars = factory("cars", LOGGED);
    long startMs = System.currentTimeMillis();
    done(cars.put("a", n(1)));
    done(cars.put("b", n(2)));
    done(cars.merge("a", n(3)));
    done(cars.delete("b"));
    assertFails(cars.delete("b"), DocumentFailure.NOT_FOUND, "b");
    ChangePage page = read(cars, 0);
    assertThat(texts(page))
        .containsExactly(
            "PUT a 1 {\"n\":1}", "PUT b 1 {\"n\":2}", "PUT a 2 {\"n\":3}", "DELETE b 1");
    assertThat(page.changes()).extracting(DocumentChange::position).isSorted();
    assertThat(page.changes())
        .allMatch(each -> each.timeMs() >= startMs && each.timeMs() <= System.currentTimeMillis());
    assertThat(page.position()).isEqualTo(page.changes().get(3).position());
    assertThat(read(cars, page.position()).changes()).isEmpty();
    assertThat(texts(read(cars, page.changes().get(1).position())))
        .containsExactly("PUT a 2 {\"n\":3}", "DELETE b 1");
    ChangePage two = done(cars.changes(from(0).setLimit(2)));
    assertThat(two.changes()).hasSize(2);
    assertThat(two.position()).isEqualTo(two.changes().get(1).position());
  }

  @Test
  void withoutAPositionChangesComeFromNowOn() {
    DocumentFactory cars = factory("cars", LOGGED);
    done(cars.put("a", n(1)));
    ChangePage now = done(cars.changes(new ChangeQuery()));
    assertThat(now.changes()).isEmpty();
    done(cars.put("b", n(2)));
    assertThat(texts(read(cars, now.position()))).containsExactly("PUT b 1 {\"n\":2}");
  }

  @Test
  void eachChangeOfOneCommitIsThere() {
    DocumentFactory cars = factory("cars", LOGGED);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      all.add(cars.put("key-" + i % 2, n(i)));
    }
    done(Future.join(all));
    assertThat(documents.stats().changes()).isGreaterThan(documents.stats().commits());
    List<DocumentChange> read = new ArrayList<>();
    ChangePage page = read(cars, 0);
    while (!page.changes().isEmpty()) {
      read.addAll(page.changes());
      page = done(cars.changes(from(page.position()).setLimit(ChangeQuery.MAX_LIMIT)));
    }
    for (int key = 0; key < 2; key++) {
      String name = "key-" + key;
      int first = key;
      List<DocumentChange> ofKey = read.stream().filter(each -> each.key().equals(name)).toList();
      assertThat(ofKey)
          .extracting(each -> each.document().json().getInteger("n"))
          .containsExactlyElementsOf(
              IntStream.range(0, 1_500).mapToObj(i -> 2 * i + first).toList());
    }
  }

  @Test
  void aFilterTellsWhatMatchesAndWhatMayHaveMatchedBefore() {
    DocumentFactory cars = factory("cars", LOGGED);
    done(cars.put("a", color("red")));
    done(cars.put("b", color("blue")));
    done(cars.put("a", color("blue")));
    done(cars.put("b", color("red")));
    done(cars.delete("b"));
    done(cars.put("c", color("blue")));
    ChangePage page = done(cars.changes(from(0).setFilter("color = 'red'")));
    assertThat(texts(page))
        .containsExactly(
            "PUT a 1 {\"color\":\"red\"}", "OUT a 2", "PUT b 2 {\"color\":\"red\"}", "DELETE b 2");
    // What is left out is read.
    assertThat(page.position()).isGreaterThan(page.changes().get(3).position());
    assertFails(
        cars.changes(from(0).setFilter("price = 1")),
        BAD_REQUEST,
        "factory cars has no index on price, indexed are: color");
    assertFails(
        cars.changes(from(0).setFilter("color =")), BAD_REQUEST, "the filter has a mistake");
  }

  @Test
  void aDocumentThatExpiresIsDeleted() {
    DocumentFactory cars = factory("cars", LOGGED);
    done(cars.put("a", n(1), WriteOptions.DEFAULT.expireAfterMs(1)));
    Await.until("the deletion is told", () -> read(cars, 0).changes().size() == 2);
    assertThat(texts(read(cars, 0)).get(1)).isEqualTo("DELETE a 1");
  }

  @Test
  void aRequestWaitsForTheNextChange() {
    DocumentFactory cars = factory("cars", LOGGED);
    Future<ChangePage> page = cars.changes(new ChangeQuery().setWaitMs(WAIT_MS));
    Future<ChangePage> red =
        cars.changes(new ChangeQuery().setWaitMs(WAIT_MS).setFilter("color = 'red'"));
    done(cars.changes(new ChangeQuery()));
    assertThat(page.isComplete()).isFalse();
    done(cars.put("a", color("blue")));
    assertThat(texts(done(page))).containsExactly("PUT a 1 {\"color\":\"blue\"}");
    assertThat(red.isComplete()).isFalse();
    done(cars.put("b", color("red")));
    assertThat(texts(done(red))).containsExactly("PUT b 1 {\"color\":\"red\"}");
  }

  @Test
  void aWaitEndsWithThePositionUpToWhichAllWasRead() {
    DocumentFactory cars = factory("cars", LOGGED);
    done(cars.put("a", color("blue")));
    long last = read(cars, 0).position();
    ChangeQuery red = from(0).setWaitMs(20).setFilter("color = 'red'");
    ChangePage page = done(cars.changes(red));
    assertThat(page.changes()).isEmpty();
    assertThat(page.position()).isEqualTo(last);
  }

  @Test
  void noMoreThanSomeWaitAtATime() {
    DocumentFactory cars = factory("cars", LOGGED);
    List<Future<ChangePage>> waits = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waits.add(cars.changes(new ChangeQuery().setWaitMs(WAIT_MS)));
    }
    assertFails(
        cars.changes(new ChangeQuery().setWaitMs(WAIT_MS)),
        BUSY,
        "as many streams of changes are open as may be: 3");
    assertThat(done(cars.changes(new ChangeQuery())).changes()).isEmpty();
    done(cars.put("a", n(1)));
    waits.forEach(wait -> assertThat(done(wait).changes()).hasSize(1));
    Await.until(
        "a wait is possible again",
        () -> done(cars.changes(from(0).setWaitMs(WAIT_MS)).otherwiseEmpty()) != null);
  }

  @Test
  void theLogIsBoundedAndTellsWhoIsTooLate() {
    DocumentFactory cars = factory("cars", new FactoryOptions(LOGGED).setChangeLogBytes(10_000));
    done(cars.put("a", n(0)));
    long first = read(cars, 0).position();
    String text = "x".repeat(1_000);
    for (int i = 0; i < 100; i++) {
      done(cars.put("key-" + i, new JsonObject().put("text", text)));
    }
    String gone = "factory cars has not all changes behind position " + first + " any more";
    assertFails(cars.changes(from(first)), CHANGES_GONE, gone);
    long last = done(cars.changes(new ChangeQuery())).position();
    assertThat(read(cars, last - 5).changes()).hasSize(5);
    assertFails(cars.changes(from(last - 10)), CHANGES_GONE, "it has those behind");
    assertFails(
        cars.changes(from(last + 1)), CHANGES_GONE, "has no change at position " + (last + 1));
    reopen();
    DocumentFactory again = factory("cars", new FactoryOptions(LOGGED).setChangeLogBytes(1));
    assertThat(read(again, last - 5).changes()).hasSize(5);
    done(again.put("b", n(1)));
    assertThat(texts(read(again, last))).containsExactly("PUT b 1 {\"n\":1}");
    assertFails(again.changes(from(last - 1)), CHANGES_GONE, "it has those behind " + last);
  }

  @Test
  void positionsOutliveTheStoreAndDoNotComeAgain() {
    DocumentFactory cars = factory("cars", LOGGED);
    done(cars.put("a", n(1)));
    long first = read(cars, 0).position();
    reopen();
    cars = factory("cars", LOGGED);
    done(cars.put("b", n(2)));
    assertThat(texts(read(cars, first))).containsExactly("PUT b 1 {\"n\":2}");
    long second = read(cars, first).position();
    reopen();
    cars = factory("cars");
    assertFails(cars.changes(from(second)), BAD_REQUEST, "factory cars has no log of changes");
    done(cars.put("c", n(3)));
    reopen();
    cars = factory("cars", LOGGED);
    assertFails(cars.changes(from(second)), CHANGES_GONE, "has not all changes");
    long now = done(cars.changes(new ChangeQuery())).position();
    reopen();
    cars = factory("cars", LOGGED);
    done(cars.put("d", n(4)));
    assertThat(texts(read(cars, now))).containsExactly("PUT d 1 {\"n\":4}");
    assertThat(read(cars, now).position()).isGreaterThan(second);
  }

  /** The copy stands for a disk that a loss of power left without the last changes. */
  @Test
  void aReaderThatHasSeenWhatALossOfPowerTookIsTold() {
    DocumentFactory cars = factory("cars", LOGGED);
    done(cars.put("a", n(1)));
    long kept = read(cars, 0).position();
    Path copy = directory.resolve("copy");
    copyOfOpenDirectory(copy);
    done(cars.put("b", n(2)));
    done(cars.put("c", n(3)));
    long lost = read(cars, 0).position();
    done(documents.close());
    open(options().setDirectory(copy.toString()));
    cars = factory("cars", LOGGED);
    for (int i = 0; i < 5; i++) {
      done(cars.put("d", n(i)));
    }
    assertFails(cars.changes(from(lost)), CHANGES_GONE, "has no change at position " + lost);
    assertThat(read(cars, kept).changes()).hasSize(5);
  }

  @Test
  void whatIsNotCommittedIsNotTold() {
    FactoryOptions options = new FactoryOptions(LOGGED).setCommitIntervalMs(3_600_000);
    DocumentFactory cars = factory("cars", options);
    done(cars.put("a", n(1)));
    assertThat(read(cars, 0).changes()).isEmpty();
    reopen();
    assertThat(texts(read(factory("cars", options), 0))).containsExactly("PUT a 1 {\"n\":1}");
  }

  @Test
  void aStoreThatClosesEndsTheWaits() {
    DocumentFactory cars = factory("cars", LOGGED);
    Future<ChangePage> wait = cars.changes(new ChangeQuery().setWaitMs(WAIT_MS));
    done(cars.changes(new ChangeQuery()));
    done(documents.close());
    assertFails(wait, CLOSED, "the store is closed");
    assertFails(cars.changes(from(0).setWaitMs(WAIT_MS)), CLOSED, "the store is closed");
  }

  @Test
  void aFactoryInMemoryHasNoLog() {
    FactoryOptions options = new FactoryOptions(LOGGED).setPersisted(false);
    assertThat(Futures.failure("factory", documents.factory("cars", options)))
        .hasMessageStartingWith("changeLogBytes is 1048576, allowed is 0 in factory cars");
  }

  private Future<Message<JsonObject>> ask(JsonObject body) {
    return vertx
        .eventBus()
        .request("documents.cars", body, new DeliveryOptions().addHeader("action", "changes"));
  }

  @Test
  void changesAreReadByTheEventBus() {
    DocumentFactory cars = factory("cars", LOGGED);
    JsonObject now = done(ask(null)).body();
    assertThat(now.getJsonArray("changes")).isEmpty();
    Future<Message<JsonObject>> wait =
        ask(new JsonObject().put("from", now.getLong("position")).put("waitMs", WAIT_MS));
    Future<Message<JsonObject>> bad = ask(json("{'since':1}"));
    assertThat(Futures.failure("request", bad)).hasMessageContaining("unknown member since");
    Future<Message<JsonObject>> negative = ask(new JsonObject().put("limit", -4_294_967_195L));
    assertThat(Futures.failure("request", negative)).hasMessageContaining("limit is -4294967195");
    Future<Message<JsonObject>> worse = ask(json("{'from':'x'}"));
    assertThat(Futures.failure("request", worse)).hasMessageContaining("from is x");
    Future<Message<JsonObject>> late = ask(json("{'from':77}"));
    assertThat(((ReplyException) Futures.failure("request", late)).failureCode()).isEqualTo(461);
    done(cars.put("a", n(1), WriteOptions.DEFAULT.expireAfterMs(3_600_000)));
    JsonObject page = done(wait).body();
    JsonObject change = page.getJsonArray("changes").getJsonObject(0);
    assertThat(change.getString("kind")).isEqualTo("put");
    assertThat(change.getString("key")).isEqualTo("a");
    assertThat(change.getLong("version")).isEqualTo(1);
    assertThat(change.getJsonObject("content")).isEqualTo(n(1));
    assertThat(change.getLong("expiresAtMs")).isGreaterThan(change.getLong("timeMs"));
    assertThat(change.getLong("position")).isEqualTo(page.getLong("position"));
  }
}
