package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceOptions;
import dev.weir.group.example.Accounts;
import dev.weir.group.example.Transfer;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of the tutorial as a service of one member. */
@Tag("slow")
@Timeout(300)
class AccountsServiceTest {
  /** Statements by their ids. */
  private static final Map<String, JsonObject> STATEMENTS = new ConcurrentHashMap<>();

  @TempDir private static Path directory;
  private static TestMember member;
  private static Groups groups;

  @BeforeAll
  static void serve() {
    List<Integer> ports = FreePorts.find(2);
    member = new TestMember("a", ports.get(0), ports.get(1), ports.subList(0, 1), directory);
    groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    Futures.result(
        "statements",
        member.weir.<JsonObject>serve(
            "statements",
            new ServiceOptions().setDiskBytes(1 << 20),
            message -> {
              STATEMENTS.put(message.id(), message.body());
              return Future.succeededFuture();
            }));
    Futures.result(
        "accounts",
        groups.serveGroup(
            "accounts",
            Transfer.class,
            new GroupOptions().setMembers(List.of("a")),
            new ServiceOptions(),
            Accounts::new));
  }

  @AfterAll
  static void close() {
    Futures.result("groups", groups.close());
    member.close();
  }

  private static Future<JsonObject> transfer(JsonObject body) {
    return member.vertx.eventBus().<JsonObject>request("accounts", body).map(reply -> reply.body());
  }

  private static JsonObject of(String from, String to, long cents) {
    return new JsonObject().put("from", from).put("to", to).put("cents", cents);
  }

  private static ReplyException refusal(JsonObject body) {
    return (ReplyException) Futures.failure("a refusal", transfer(body));
  }

  @Test
  void aTransferIsAppliedWholeAndItsStatementArrivesOrNothingHappens() {
    Futures.result("paid in", transfer(of(null, "ann", 500)));
    assertThat(Futures.result("moved", transfer(of("ann", "bob", 200))).getLong("cents"))
        .isEqualTo(200);
    ReplyException tooMuch = refusal(of("ann", "bob", 301));
    assertThat(tooMuch.failureCode()).isEqualTo(1001);
    assertThat(tooMuch).hasMessage("ann has too little");
    assertThat(Futures.result("one more", transfer(of("ann", "bob", 1))).getLong("cents"))
        .as("what was refused has not been paid in")
        .isEqualTo(201);
    Await.until(() -> "three statements arrive: " + STATEMENTS, () -> STATEMENTS.size() == 3);
    assertThat(STATEMENTS.values().stream().map(each -> each.getLong("cents")))
        .containsExactlyInAnyOrder(500L, 200L, 201L);
  }

  @Test
  void whatIsNoTransferIsRefusedBeforeTheProcessorSeesIt() {
    assertThat(refusal(new JsonObject().put("cents", "many")).failureCode())
        .isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(refusal(of(null, null, 5)).failureCode()).isEqualTo(1002);
  }
}
