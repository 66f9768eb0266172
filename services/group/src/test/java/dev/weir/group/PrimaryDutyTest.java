package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Timers and outgoing messages of a group of one member, also over a restart of the group. */
@Tag("slow")
@Timeout(300)
class PrimaryDutyTest {
  @TempDir private static Path directory;
  private static TestMember member;
  private static Groups groups;

  @BeforeAll
  static void start() {
    List<Integer> ports = FreePorts.find(2);
    member = new TestMember("a", ports.get(0), ports.get(1), ports.subList(0, 1), directory);
    groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
  }

  @AfterAll
  static void close() {
    Futures.result("groups", groups.close());
    member.close();
  }

  private static GroupService serve(String address) {
    return Futures.result(
        "orders",
        groups.serveGroup(
            address,
            new ShardOptions().setMembers(List.of("a")).setShards(2),
            new GroupOptions(),
            new ServiceOptions(),
            Orders::new));
  }

  private static Future<Message<JsonObject>> ask(String address, String order, JsonObject body) {
    return member
        .vertx
        .eventBus()
        .request(
            address, body.put("order", order), new DeliveryOptions().addHeader(Groups.KEY, order));
  }

  private static JsonObject of(String name, Object value) {
    return new JsonObject().put(name, value);
  }

  private static long count(String address, String order, String what) {
    DeliveryOptions read =
        new DeliveryOptions().addHeader(Groups.KEY, order).addHeader(GroupMessage.READ, "0");
    return Futures.result(
            "a read", member.vertx.eventBus().<JsonObject>request(address, of("what", what), read))
        .body()
        .getLong("count");
  }

  @Test
  void timersFireOnceAlsoAfterARestart() {
    GroupService orders = serve("timers");
    for (String order : List.of("o1", "o2", "o3")) {
      Futures.result("taken", ask("timers", order, of("remindInMs", 20L)));
    }
    String forgotten = forgottenInTime("timers", 500);
    Futures.result("taken", ask("timers", "o4", of("remindInMs", 1_500L)));
    Futures.failure("refused", ask("timers", "o6", of("remindInMs", 1L).put("refuse", true)));
    for (String order : List.of("o1", "o2", "o3")) {
      Await.until("it is reminded", () -> count("timers", order, "reminded " + order) == 1);
    }
    Futures.result("closed", orders.close());
    GroupService again = serve("timers");
    Await.until("o4 is reminded", () -> count("timers", "o4", "reminded o4") == 1);
    for (String order : List.of("o1", "o2", "o3")) {
      assertThat(count("timers", order, "reminded " + order)).isEqualTo(1);
    }
    assertThat(count("timers", forgotten, "reminded " + forgotten)).isZero();
    assertThat(count("timers", "o6", "reminded o6")).isZero();
    Futures.result("closed", again.close());
  }

  /** An order whose timer was cancelled before it was due, however slow the machine is. */
  private static String forgottenInTime(String address, long dueInMs) {
    for (int i = 0; ; i++) {
      String order = "forgotten-" + i;
      long startNs = System.nanoTime();
      Futures.result("taken", ask(address, order, of("remindInMs", dueInMs)));
      Futures.result("forgotten", ask(address, order, of("forget", true)));
      if (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(dueInMs * 4 / 5)) {
        return order;
      }
    }
  }

  @Test
  void messagesToAnotherGroupWaitForItAndAreAppliedOnce() {
    GroupService orders = serve("payers");
    for (int i = 0; i < 50; i++) {
      Futures.result("taken", ask("payers", "o" + i, of("pay", "payments")));
    }
    Futures.failure("refused", ask("payers", "o0", of("pay", "payments").put("refuse", true)));
    Futures.result("closed", orders.close());
    GroupService payments =
        Futures.result(
            "payments",
            groups.serveGroup(
                "payments", new GroupOptions().setMembers(List.of("a")), Counter::new));
    GroupService again = serve("payers");
    Await.until("all have arrived", () -> payments.group().stats().accepted() >= 50);
    Await.until(
        "all are removed",
        () -> again.replicas().stream().allMatch(replica -> isIdle(replica.stats())));
    for (int i = 0; i < 50; i++) {
      DeliveryOptions about = new DeliveryOptions().addHeader(Groups.KEY, "o" + i);
      JsonObject reply =
          Futures.result(
                  "a reply",
                  member.vertx.eventBus().<JsonObject>request("payments", new JsonObject(), about))
              .body();
      assertThat(reply.getLong("count")).as("o%s, with this one", i).isEqualTo(2);
    }
    Futures.result("closed", again.close());
    Futures.result("closed", payments.close());
  }

  private static boolean isIdle(GroupStats stats) {
    return stats.accepting() && stats.accepted() == stats.completed();
  }

  @Test
  void durableMessagesReachAServiceUnderTheirIdsAndRefusalsReachTheProcessor() {
    Set<String> ids = ConcurrentHashMap.newKeySet();
    Futures.result(
        "notes",
        member.weir.serve(
            "notes",
            new ServiceOptions().setDiskBytes(1 << 20),
            message -> {
              ids.add(message.id());
              return Future.succeededFuture();
            }));
    Futures.result(
        "plain",
        member.weir.serve(
            "plain",
            new ServiceOptions().setDiskBytes(0),
            message -> Future.succeededFuture("done")));
    GroupService orders = serve("writers");
    for (int i = 0; i < 10; i++) {
      Futures.result("taken", ask("writers", "o" + i, of("note", "notes")));
    }
    Await.until("all have arrived", () -> ids.size() == 10);
    assertThat(ids).allMatch(id -> id.matches("out-[0-9a-f]+-[0-9]+"));
    Futures.result("taken", ask("writers", "o1", of("note", "plain")));
    String refused = "undelivered o1 " + FlowFailure.NOT_DURABLE.code();
    Await.until("it is refused", () -> count("writers", "o1", refused) == 1);
    Futures.result("closed", orders.close());
  }
}
