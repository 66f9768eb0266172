package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.state.ActionResult;
import dev.weir.state.BusHeaders;
import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.Document;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFactory;
import dev.weir.state.DocumentFailure;
import dev.weir.state.DocumentRoutes;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.Expected;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.WriteOptions;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A factory of several shards on one member: all operations, as of any other factory. */
@Tag("slow")
@Timeout(300)
class ReplicatedFactoryTest {
  private static final ShardOptions SHARDS =
      new ShardOptions().setMembers(List.of("a")).setShards(5);

  @TempDir private static Path directory;
  private static TestMember member;
  private static Groups groups;
  private static Documents documents;
  private static DocumentFactory cars;

  @BeforeAll
  static void serve() {
    List<Integer> ports = FreePorts.find(2);
    member = new TestMember("a", ports.get(0), ports.get(1), ports.subList(0, 1), directory);
    groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    documents =
        Futures.result(
            "the store", Documents.open(member.vertx, new DocumentsOptions().setDirectory(null)));
    FactoryRules rules =
        new FactoryRules()
            .addAction(
                "drive",
                (current, body) -> {
                  JsonObject car = current.json();
                  car.put("km", car.getInteger("km", 0) + body.getInteger("km"));
                  return ActionResult.write(car, new JsonObject().put("km", car.getInteger("km")));
                });
    cars =
        Futures.result(
            "the factory",
            serve("cars", new FactoryOptions().setIndexes(List.of("n", "color")), rules));
  }

  private static Future<DocumentFactory> serve(
      String name, FactoryOptions options, FactoryRules rules) {
    return ReplicatedFactories.serve(
        groups, documents, name, options, rules, SHARDS, new GroupOptions(), 8 << 20);
  }

  @AfterAll
  static void close() {
    Futures.result("groups", groups.close());
    member.close();
  }

  private static <T> T done(Future<T> future) {
    return Futures.result("operation", future);
  }

  private static void assertFails(DocumentFailure failure, Future<?> future) {
    Throwable cause = Futures.failure("operation", future);
    assertThat(cause).isInstanceOf(DocumentException.class);
    assertThat(((DocumentException) cause).failure()).as(cause.getMessage()).isEqualTo(failure);
  }

  private static JsonObject json(String text) {
    return new JsonObject(text.replace('\'', '"'));
  }

  @Test
  void documentsAreCreatedReadPatchedAndDeleted() {
    assertThat(done(cars.create("a", json("{'color':'red'}"))).version()).isEqualTo(1);
    assertFails(DocumentFailure.EXISTS, cars.create("a", json("{}")));
    assertThat(done(cars.merge("a", json("{'km':1}"))).json())
        .isEqualTo(json("{'color':'red','km':1}"));
    JsonArray patch = new JsonArray("[{\"op\":\"remove\",\"path\":\"/color\"}]");
    assertThat(done(cars.patch("a", patch)).json()).isEqualTo(json("{'km':1}"));
    assertFails(DocumentFailure.PATCH_FAILED, cars.patch("a", patch));
    assertThat(done(cars.act("a", "drive", json("{'km':6}")))).isEqualTo(json("{'km':7}"));
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'km':7}"));
    assertFails(
        DocumentFailure.VERSION_MISMATCH,
        cars.put("a", json("{}"), WriteOptions.DEFAULT.expect(Expected.version(3))));
    assertThat(done(cars.delete("a")).version()).isEqualTo(4);
    assertFails(DocumentFailure.NOT_FOUND, cars.get("a"));
    assertFails(DocumentFailure.BAD_REQUEST, cars.act("a", "fly", null));
    assertFails(DocumentFailure.TOO_LARGE, cars.put("k".repeat(10_000), json("{}")));
    JsonObject large = new JsonObject().put("text", "x".repeat(100_000));
    assertFails(DocumentFailure.TOO_LARGE, cars.put("large", large));
  }

  /** As in a factory of one node without historyVersions. */
  @Test
  void theCurrentVersionIsReadAndNoOtherIsKept() {
    done(cars.put("versions", json("{'n':-1}")));
    Document second = done(cars.put("versions", json("{'n':-2}")));
    assertThat(done(cars.get("versions", second.version())).json()).isEqualTo(json("{'n':-2}"));
    assertFails(DocumentFailure.NOT_FOUND, cars.get("versions", second.version() - 1));
    assertFails(DocumentFailure.NOT_FOUND, cars.get("versions", second.version() + 1));
    assertFails(DocumentFailure.UNSUPPORTED, cars.versions("versions"));
    done(cars.delete("versions"));
    assertFails(DocumentFailure.NOT_FOUND, cars.get("versions", second.version()));
  }

  @Test
  void pagesOverAllShardsHaveOneOrder() {
    List<Integer> numbers = IntStream.range(0, 700).boxed().toList();
    List<Future<Document>> writes = new ArrayList<>();
    for (int n : numbers) {
      String color = n % 2 == 0 ? "green" : "yellow";
      writes.add(cars.put("n" + n, new JsonObject().put("n", n).put("color", color)));
    }
    Futures.result("all are written", Future.all(writes));
    Query all = new Query().setSort("n");
    assertThat(numbers(new Query(all).setLimit(100))).isEqualTo(numbers);
    assertThat(numbers(new Query(all).setLimit(1_000))).isEqualTo(numbers);
    assertThat(numbers(new Query(all).setLimit(7).setDescending(true)))
        .isEqualTo(IntStream.range(0, 700).mapToObj(i -> 699 - i).toList());
    assertThat(numbers(new Query().setFilter("n >= 10 and n < 20 and color = 'green'")))
        .containsExactlyInAnyOrder(10, 12, 14, 16, 18);
    assertThat(numbers(new Query().setFilter("n = 344"))).containsExactly(344);
    // Most documents are looked at and left out: pages may be short, but they lead on.
    assertThat(numbers(new Query(all).setFilter("color = 'green' and n > 680").setLimit(3)))
        .containsExactly(682, 684, 686, 688, 690, 692, 694, 696, 698);
    assertThat(done(cars.count(new Query().setFilter("color = 'green'")))).isEqualTo(350);
    assertFails(DocumentFailure.BAD_REQUEST, cars.query(new Query().setFilter("price = 1")));
    assertFails(DocumentFailure.BAD_REQUEST, cars.query(new Query(all).setCursor("AAAAAAAA")));
    Await.until("the figures have them", () -> cars.stats().documents() >= 700);
  }

  @Test
  void thereAreMoreDocumentsThanTheMemoryHasRoomFor() {
    int count = 30_000;
    DocumentFactory many =
        done(serve("many", new FactoryOptions().setIndexes(List.of("n")), new FactoryRules()));
    String text = "x".repeat(300);
    for (int from = 0; from < count; from += 1_000) {
      List<Future<Document>> writes = new ArrayList<>();
      for (int n = from; n < from + 1_000; n++) {
        writes.add(many.put("n" + n, new JsonObject().put("n", n).put("text", text)));
      }
      Futures.result("all are written", Future.all(writes));
    }
    for (int n = 0; n < count; n += 997) {
      assertThat(done(many.get("n" + n)).json().getInteger("n")).isEqualTo(n);
    }
    assertThat(done(many.count(new Query().setFilter("n >= 100 and n < 5100")))).isEqualTo(5_000);
    Await.until("the figures have them", () -> many.stats().documents() == count);
  }

  private static List<Integer> numbers(Query query) {
    List<Integer> numbers = new ArrayList<>();
    Query next = new Query(query);
    do {
      QueryPage page = done(cars.query(next));
      assertThat(page.documents().size()).isLessThanOrEqualTo(query.getLimit());
      page.documents().forEach(each -> numbers.add(each.json().getInteger("n")));
      next.setCursor(page.cursor());
    } while (next.getCursor() != null);
    return numbers;
  }

  @Test
  void theBusAndHttpServeTheFactoryAsAnyOther() throws Exception {
    DeliveryOptions put =
        new DeliveryOptions()
            .addHeader(BusHeaders.ACTION, "put")
            .addHeader(BusHeaders.KEY, "from the bus");
    JsonObject body = json("{'color':'blue'}");
    assertThat(
            Futures.result(
                    "a reply",
                    member.vertx.eventBus().<JsonObject>request("documents.cars", body, put))
                .body())
        .isEqualTo(body);
    Router router = Router.router(member.vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            member.vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    String url = "http://127.0.0.1:" + server.actualPort() + "/documents";
    assertThat(send("GET", url + "/cars/from%20the%20bus", "").body()).isEqualTo(body.encode());
    assertThat(send("PUT", url + "/cars/http", "{}").statusCode()).isEqualTo(201);
    HttpResponse<String> replaced = send("PUT", url + "/cars/http", "{\"color\":\"x\"}");
    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(replaced.headers().firstValue("etag")).contains("\"2\"");
    assertThat(send("PUT", url + "/cars/http", "{").statusCode()).isEqualTo(400);
    assertThat(send("GET", url + "/cars?filter=color%3D'x'", "").body()).contains("\"http\"");
    HttpResponse<String> versions = send("GET", url + "/cars/http/versions", "");
    assertThat(versions.statusCode()).isEqualTo(501);
    assertThat(versions.headers().firstValue("content-type")).contains("application/problem+json");
    HttpResponse<String> changes = send("GET", url + "/cars/changes?from=0", "");
    assertThat(changes.statusCode()).isEqualTo(400);
    assertThat(changes.body()).contains("has no log of changes: its changeLogBytes is 0");
    assertFails(DocumentFailure.BAD_REQUEST, cars.changes(new ChangeQuery()));
    assertThat(send("DELETE", url + "/cars/http", "").statusCode()).isEqualTo(204);
    JsonObject figures =
        new JsonObject(send("GET", url, "").body())
            .getJsonArray("factories").stream()
                .map(JsonObject.class::cast)
                .filter(each -> each.getString("name").equals("cars"))
                .findFirst()
                .orElseThrow();
    assertThat(figures.getLong("operations")).isPositive();
    assertThat(figures.fieldNames()).contains("hitRate", "residentDocuments", "pausedDocuments");
    assertThat(figures.getValue("hitRate")).isNull();
    assertThat(figures.getValue("residentDocuments")).isNull();
    assertThat(figures.getValue("pausedDocuments")).isNull();
    Futures.result("the server closes", server.close());
  }

  private static HttpResponse<String> send(String method, String url, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  @Test
  void changesOfAllShardsHaveOneOrderThatAReaderComesBackTo() {
    FactoryOptions options =
        new FactoryOptions().setIndexes(List.of("n")).setChangeLogBytes(1 << 20);
    DocumentFactory logged = done(serve("logged", options, new FactoryRules()));
    long start = done(logged.changes(new ChangeQuery())).position();
    assertThat(done(logged.changes(new ChangeQuery().setFrom(0))).changes()).isEmpty();
    for (int n = 0; n < 60; n++) {
      done(logged.put("k" + n % 20, new JsonObject().put("n", n)));
    }
    done(logged.delete("k3"));
    List<DocumentChange> all = changes(logged, start, null);
    assertThat(all).hasSize(61);
    assertThat(all).extracting(DocumentChange::position).isSorted().doesNotHaveDuplicates();
    for (int k = 0; k < 20; k++) {
      String key = "k" + k;
      List<DocumentChange> own = all.stream().filter(each -> each.key().equals(key)).toList();
      assertThat(own).hasSize(k == 3 ? 4 : 3);
      assertThat(own.get(2).document().json().getInteger("n")).isEqualTo(40 + k);
      assertThat(own.get(2).version()).isEqualTo(3);
      assertThat(own.get(own.size() - 1).kind() == DocumentChange.Kind.DELETE).isEqualTo(k == 3);
    }
    long middle = all.get(30).position();
    assertThat(changes(logged, middle, null))
        .extracting(DocumentChange::position)
        .containsExactlyElementsOf(
            all.subList(31, 61).stream().map(DocumentChange::position).toList());
    assertThat(changes(logged, start, "n < 10"))
        .extracting(DocumentChange::kind)
        .contains(DocumentChange.Kind.PUT, DocumentChange.Kind.OUT);
    assertFails(
        DocumentFailure.CHANGES_GONE,
        logged.changes(new ChangeQuery().setFrom(all.get(60).position() + (1L << 40))));
    Future<ChangePage> waiting =
        logged.changes(new ChangeQuery().setFrom(all.get(60).position()).setWaitMs(20_000));
    done(logged.put("late", new JsonObject()));
    assertThat(done(waiting).changes()).extracting(DocumentChange::key).containsExactly("late");
    long from = all.get(60).position();
    assertThat(done(logged.changes(new ChangeQuery().setFrom(from).setWaitMs(1))).position())
        .isGreaterThanOrEqualTo(from);
  }

  /** All changes behind a position, by pages of seven. */
  private static List<DocumentChange> changes(DocumentFactory factory, long from, String filter) {
    List<DocumentChange> all = new ArrayList<>();
    long position = from;
    while (true) {
      ChangePage page =
          done(factory.changes(new ChangeQuery().setFrom(position).setLimit(7).setFilter(filter)));
      all.addAll(page.changes());
      if (page.position() == position) {
        return all;
      }
      position = page.position();
    }
  }

  @Test
  void aReaderThatIsTooLateIsToldSo() {
    FactoryOptions options = new FactoryOptions().setChangeLogBytes(20_000);
    DocumentFactory logged = done(serve("short", options, new FactoryRules()));
    long start = done(logged.changes(new ChangeQuery())).position();
    for (int n = 0; n < 100; n++) {
      done(logged.put("k" + n, new JsonObject().put("t", "x".repeat(500))));
    }
    assertFails(DocumentFailure.CHANGES_GONE, logged.changes(new ChangeQuery().setFrom(start)));
    long now = done(logged.changes(new ChangeQuery())).position();
    done(logged.put("k", new JsonObject()));
    assertThat(changes(logged, now, null)).hasSize(1);
  }

  @Test
  void documentsOutliveTheirGroups() {
    FactoryOptions options = new FactoryOptions().setIndexes(List.of("n"));
    DocumentFactory first = done(serve("kept", options, new FactoryRules()));
    for (int n = 0; n < 20; n++) {
      done(first.put("k" + n, new JsonObject().put("n", n)));
    }
    GroupService service =
        groups.services().stream()
            .filter(each -> each.service().address().equals("documents-kept"))
            .findFirst()
            .orElseThrow();
    Futures.result("it is closed", service.close());
    assertFails(DocumentFailure.CLOSED, first.get("k1"));
    Documents others =
        Futures.result(
            "a store", Documents.open(member.vertx, new DocumentsOptions().setDirectory(null)));
    DocumentFactory again =
        done(
            ReplicatedFactories.serve(
                groups,
                others,
                "kept",
                options,
                new FactoryRules(),
                SHARDS,
                new GroupOptions(),
                1 << 20));
    assertThat(done(again.count(new Query().setFilter("n < 10")))).isEqualTo(10);
    assertThat(done(again.get("k7")).json().getInteger("n")).isEqualTo(7);
    Futures.result("closed", others.close());
  }

  @Test
  void whatAReplicatedFactoryCannotKeepIsRefused() {
    assertRefused(new FactoryOptions().setHistoryVersions(3), "historyVersions is 3, allowed is 0");
    assertRefused(new FactoryOptions().setChangeLogBytes(8 << 20), "changeLogBytes is 8388608");
    assertRefused(new FactoryOptions().setCommitIntervalMs(3), "commitIntervalMs is 3");
    assertRefused(new FactoryOptions().setPersisted(false), "persisted is false, allowed is true");
    assertThat(
            Futures.failure(
                "the heap is too small",
                ReplicatedFactories.serve(
                    groups,
                    documents,
                    "huge",
                    new FactoryOptions(),
                    new FactoryRules(),
                    SHARDS,
                    new GroupOptions(),
                    1L << 50)))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("factory huge asks for");
    assertThat(Futures.failure("no group", serveWith(SHARDS, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group must not be null");
    assertThat(Futures.failure("no shards", serveWith(null, new GroupOptions())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shards must not be null");
    assertThat(Futures.failure("taken", serve("cars", new FactoryOptions(), new FactoryRules())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cars");
  }

  private static Future<DocumentFactory> serveWith(ShardOptions shards, GroupOptions group) {
    return ReplicatedFactories.serve(
        groups,
        documents,
        "refused",
        new FactoryOptions(),
        new FactoryRules(),
        shards,
        group,
        8 << 20);
  }

  private static void assertRefused(FactoryOptions options, String message) {
    assertThat(Futures.failure("a refusal", serve("refused", options, new FactoryRules())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
