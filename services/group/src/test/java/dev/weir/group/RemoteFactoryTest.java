package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.GroupOptions;
import dev.weir.state.ActionResult;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFactory;
import dev.weir.state.DocumentFailure;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.Expected;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.Query;
import dev.weir.state.WriteOptions;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A factory of one member, as another node reaches it that holds no documents. */
@Tag("slow")
@Timeout(300)
class RemoteFactoryTest {
  private static final ShardOptions SHARDS =
      new ShardOptions().setMembers(List.of("a")).setShards(3);
  private static final FactoryOptions OPTIONS = new FactoryOptions().setIndexes(List.of("n"));
  private static final long IN_FLIGHT_BYTES = 1 << 20;

  @TempDir private static Path directory;
  private static TestMember member;
  private static TestMember outside;
  private static Groups groups;

  /** The factory on the member. */
  private static DocumentFactory there;

  private RemoteFactory cars;

  @BeforeAll
  static void serve() {
    List<Integer> ports = FreePorts.find(3);
    List<Integer> all = ports.subList(0, 2);
    member = new TestMember("a", ports.get(0), ports.get(2), all, directory.resolve("a"));
    outside = new TestMember("outside", ports.get(1), 0, all, directory.resolve("outside"));
    groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    Documents documents =
        Futures.result(
            "the store", Documents.open(member.vertx, new DocumentsOptions().setDirectory(null)));
    FactoryRules rules =
        new FactoryRules()
            .addAction(
                "double",
                (current, body) -> {
                  JsonObject car = current.json();
                  car.put("n", 2 * car.getInteger("n"));
                  return ActionResult.write(car, new JsonObject().put("is", car.getInteger("n")));
                });
    there =
        Futures.result(
            "the factory",
            ReplicatedFactories.serve(
                groups, documents, "cars", OPTIONS, rules, SHARDS, new GroupOptions(), 8 << 20));
  }

  @AfterAll
  static void close() {
    outside.close();
    Futures.result("groups", groups.close());
    member.close();
  }

  @BeforeEach
  void connect() {
    cars = connect(IN_FLIGHT_BYTES);
  }

  @AfterEach
  void leave() {
    done(cars.close());
  }

  private static RemoteFactory connect(long inFlightBytes) {
    return ReplicatedFactories.connect(
        outside.vertx, outside.node, "cars", OPTIONS, SHARDS, new GroupOptions(), inFlightBytes);
  }

  private static <T> T done(Future<T> future) {
    return Futures.result("operation", future);
  }

  private static String assertFails(DocumentFailure failure, Future<?> future) {
    Throwable cause = Futures.failure("operation", future);
    assertThat(cause).isInstanceOf(DocumentException.class);
    assertThat(((DocumentException) cause).failure()).as(cause.getMessage()).isEqualTo(failure);
    return cause.getMessage();
  }

  private static JsonObject n(int n) {
    return new JsonObject().put("n", n);
  }

  @Test
  void anotherNodeDoesWhatTheMemberDoes() {
    assertThat(done(cars.create("one", n(1))).version()).isEqualTo(1);
    assertFails(DocumentFailure.EXISTS, cars.create("one", n(1)));
    assertThat(done(there.get("one")).json()).isEqualTo(n(1));
    assertThat(done(cars.put("one", n(2))).version()).isEqualTo(2);
    assertThat(done(cars.merge("one", n(3))).json()).isEqualTo(n(3));
    JsonArray patch =
        new JsonArray(
            List.of(new JsonObject().put("op", "replace").put("path", "/n").put("value", 4)));
    assertThat(done(cars.patch("one", patch)).json()).isEqualTo(n(4));
    assertThat(done(cars.act("one", "double", null)).getInteger("is")).isEqualTo(8);
    assertFails(
        DocumentFailure.VERSION_MISMATCH,
        cars.put("one", n(9), WriteOptions.DEFAULT.expect(Expected.version(1))));
    assertThat(done(cars.get("one")).json()).isEqualTo(n(8));
    assertThat(done(cars.delete("one")).json()).isEqualTo(n(8));
    assertFails(DocumentFailure.NOT_FOUND, cars.get("one"));
    assertFails(DocumentFailure.TOO_LARGE, cars.put("k".repeat(10_000), n(1)));
  }

  @Test
  void operationsSentTogetherHaveEachItsOwnReplyAndQueriesFindThemAll() {
    List<Future<Integer>> puts =
        IntStream.range(100, 300)
            .mapToObj(i -> cars.put("many " + i, n(i)).map(put -> put.json().getInteger("n")))
            .toList();
    Future<?> refused = cars.replace("none", n(1));

    done(Future.all(puts));

    assertThat(puts.stream().map(Future::result))
        .containsExactlyElementsOf(IntStream.range(100, 300).boxed().toList());
    assertFails(DocumentFailure.NOT_FOUND, refused);
    Query query = new Query().setFilter("n >= 100").setSort("n");
    assertThat(done(cars.count(query))).isEqualTo(200);
    assertThat(done(cars.query(query.setLimit(2))).documents())
        .extracting(found -> found.json())
        .containsExactly(n(100), n(101));
  }

  @Test
  void operationsOfOneThreadAndKeyRunInTheirOrder() {
    List<Future<Long>> puts =
        IntStream.range(0, 50)
            .mapToObj(i -> cars.put("ordered", n(i)).map(put -> put.version()))
            .toList();
    done(Future.all(puts));

    assertThat(puts.stream().map(Future::result)).isSorted();
    assertThat(done(cars.get("ordered")).json()).isEqualTo(n(49));
  }

  @Test
  void repliesComeOnTheEventLoopOfTheCaller() {
    Context caller = outside.vertx.getOrCreateContext();
    Promise<Thread> put = Promise.promise();
    Promise<Thread> own = Promise.promise();
    caller.runOnContext(
        start -> {
          own.complete(Thread.currentThread());
          cars.put("on a loop", n(1))
              .onSuccess(done -> put.complete(Thread.currentThread()))
              .onFailure(put::fail);
        });

    assertThat(done(put.future())).isSameAs(done(own.future()));
  }

  @Test
  void whatDoesNotFitIntoTheHeapIsRefusedAndWhatEndsGivesItBack() {
    RemoteFactory tiny = connect(100);
    assertThat(assertFails(DocumentFailure.TOO_LARGE, tiny.put("a", n(1))))
        .contains("a shard may have 50 of inFlightBytes, which is 100");
    assertFails(DocumentFailure.NOT_FOUND, cars.get("a"));
    done(tiny.close());

    RemoteFactory small = connect(4_000);
    Future<?> first = small.put("at the same time", n(1));
    assertThat(assertFails(DocumentFailure.BUSY, small.put("at the same time", n(2))))
        .contains("inFlightBytes is 4000");
    done(first);
    for (int i = 0; i < 20; i++) {
      done(small.put("one after another", n(i)));
      assertFails(DocumentFailure.EXISTS, small.create("one after another", n(i)));
    }
    done(small.close());
  }

  @Test
  void aFactoryThatIsClosedTakesNoMoreOperations() {
    done(cars.put("before", n(1)));
    done(cars.close());

    assertFails(DocumentFailure.CLOSED, cars.put("before", n(2)));
    assertFails(DocumentFailure.CLOSED, cars.get("before"));
    assertThat(done(there.get("before")).json()).isEqualTo(n(1));
  }

  @Test
  void whatNoMemberWouldServeIsRefusedAtOnce() {
    assertThatThrownBy(() -> connect(0)).hasMessageContaining("inFlightBytes");
    assertThatThrownBy(
            () ->
                ReplicatedFactories.connect(
                    outside.vertx,
                    outside.node,
                    "cars",
                    new FactoryOptions().setHistoryVersions(1),
                    SHARDS,
                    new GroupOptions(),
                    IN_FLIGHT_BYTES))
        .hasMessageContaining("historyVersions");
  }
}
