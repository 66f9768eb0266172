package dev.weir.group.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.state.StateTable;
import dev.weir.flow.FlowFailure;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.group.placement.ShardPlacement;
import dev.weir.group.wire.GroupCommand;
import dev.weir.group.wire.GroupReply;
import dev.weir.group.wire.GroupRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorAdapterTest {
  private static final int MAX_IDS = 3;
  private static final int REFUSED = 1000;

  private final StateTable state = new StateTable(1 << 16);
  private final ProcessorAdapter adapter =
      new ProcessorAdapter(ProcessorAdapterTest::add, MAX_IDS, "sums", null);

  /** Adds a number to that of a key; what it refuses and where it throws comes after the change. */
  private static Object add(GroupMessage<JsonObject> message, GroupState state) {
    Table<Long> sums = state.table("sums", Serde.LONG);
    String key = message.body().getString("key");
    Long sum = sums.get(key);
    long next = (sum == null ? 0 : sum) + message.body().getLong("add");
    sums.put(key, next);
    if (next < 0) {
      throw new RefusedException(REFUSED, "a sum is never below 0");
    }
    if (next > 1000) {
      throw new IllegalStateException("too much");
    }
    if (next == 0) {
      sums.remove(key);
    }
    assertThat(sums.get(key)).as("its own change").isEqualTo(next == 0 ? null : next);
    return Long.toString(next);
  }

  private static JsonObject body(String key, long add) {
    return new JsonObject().put("key", key).put("add", add);
  }

  private GroupReply send(String id, Object body) {
    return GroupReply.decode(answer(GroupRequest.encode(id, null, body)));
  }

  private Buffer answer(Buffer request) {
    return answer(adapter, request);
  }

  private Buffer answer(ProcessorAdapter by, Buffer request) {
    PlainReply out = new PlainReply();
    // As the group does before each message.
    state.begin();
    by.onMessage(new PlainMessage(request, 1), state, out);
    return out.reply();
  }

  private String sum(String key) {
    return send(null, body(key, 0)).body().toString();
  }

  private static Buffer change(String what, Object value) {
    return GroupCommand.plan(new JsonObject().put(what, value));
  }

  @Test
  void aPlanIsAPartOfTheStateAndIsChangedByCommands() {
    ShardPlacement first = ShardPlacement.first("orders", 4, 2, List.of("a", "b"));
    ProcessorAdapter planned =
        new ProcessorAdapter(
            ProcessorAdapterTest::add,
            MAX_IDS,
            new IdRoom(Long.MAX_VALUE),
            "orders",
            null,
            new StoredPlan("orders", first, 2, 3));
    assertThat(planned.plan(state).version()).isZero();
    assertThat(GroupReply.decode(answer(planned, change("add", "c"))).reason()).isNull();
    assertThat(GroupReply.decode(answer(planned, change("add", "c"))).reason()).isNull();
    assertThat(planned.plan(state).version()).isEqualTo(1);
    assertThat(planned.plan(state).placement().members()).containsExactly("a", "b", "c");
    assertThat(GroupReply.decode(answer(planned, change("add", "d"))).reason())
        .isEqualTo("members is 4, allowed is 1 to 3");
    assertThat(GroupReply.decode(answer(planned, change("later", "d"))).reason())
        .contains("this version does not know the change");
    assertThat(GroupReply.decode(answer(planned, change("remove", "a"))).reason()).isNull();
    GroupReply refused = GroupReply.decode(answer(planned, change("remove", "b")));
    assertThat(refused.code()).isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(planned.plan(state).placement().members()).containsExactly("b", "c");
    assertThat(GroupReply.decode(answer(change("add", "c"))).reason())
        .isEqualTo("the members of this service cannot be changed");
  }

  @Test
  void aMessageWithAnIdIsAppliedOnce() {
    assertThat(send("one", body("k", 5)).body()).isEqualTo("5");
    assertThat(send("one", body("k", 5)).body()).isEqualTo("5");
    assertThat(send("two", body("k", 5)).body()).isEqualTo("10");
    assertThat(sum("k")).isEqualTo("10");
  }

  @Test
  void anIdThatComesWithAnotherBodyIsRefused() {
    send("one", body("k", 5));
    GroupReply reply = send("one", body("k", 6));
    assertThat(reply.code()).isEqualTo(FlowFailure.ID_REUSED.code());
    assertThat(sum("k")).isEqualTo("5");
  }

  @Test
  void anIdThatComesAgainInAnotherTraceIsOfTheSameMessage() {
    Buffer request = GroupRequest.encode("one", null, body("k", 5));
    for (String trace : List.of("first", "second")) {
      Buffer traced = GroupRequest.withTrace(request, Map.of("traceparent", trace));
      assertThat(GroupReply.decode(answer(traced)).body()).isEqualTo("5");
    }
    assertThat(GroupReply.decode(answer(request)).body()).isEqualTo("5");
  }

  @Test
  void theOldestIdIsForgottenFirst() {
    for (int i = 0; i <= MAX_IDS; i++) {
      send("id " + i, body("k", 1));
    }
    assertThat(send("id 1", body("k", 1)).body()).as("remembered").isEqualTo("2");
    assertThat(send("id 0", body("k", 1)).body()).as("forgotten").isEqualTo("5");
    int objects = state.size();
    for (int i = 0; i < 100; i++) {
      send("more " + i, body("k", 1));
    }
    assertThat(state.size()).as("objects of the state").isEqualTo(objects);
  }

  @Test
  void idsThatAreTooManyAfterARestartAreForgottenFewAtATime() {
    ProcessorAdapter before = new ProcessorAdapter(ProcessorAdapterTest::add, 1_000, "sums", null);
    for (int i = 0; i < 1_000; i++) {
      answer(before, GroupRequest.encode("id " + i, null, body("k", 0)));
    }
    int objects = state.size();
    send("next", body("k", 0));
    // Two objects for each, in one message that may change only so much.
    assertThat(state.size()).isBetween(objects - 60, objects - 1);
    for (int i = 0; i < 100; i++) {
      send("more " + i, body("k", 0));
    }
    assertThat(state.size()).isLessThan(100);
    assertThat(send("more 99", body("k", 1)).code())
        .as("remembered")
        .isEqualTo(FlowFailure.ID_REUSED.code());
  }

  @Test
  void aRefusedMessageChangesNothingAndMayBeSentAgain() {
    send(null, body("k", 5));
    GroupReply refusal = send("less", body("k", -6));
    assertThat(refusal.code()).isEqualTo(REFUSED);
    assertThat(refusal.reason()).isEqualTo("a sum is never below 0");
    assertThat(sum("k")).isEqualTo("5");
    send(null, body("k", 5));
    assertThat(send("less", body("k", -6)).body()).as("acceptable now").isEqualTo("4");
  }

  @Test
  void aMessageWhoseHandlerThrowsChangesNothing() {
    send(null, body("k", 5));
    assertThatThrownBy(() -> send("much", body("k", 5000))).hasMessage("too much");
    assertThat(sum("k")).isEqualTo("5");
  }

  @Test
  void aValueThatIsRemovedLeavesNothing() {
    send(null, body("a", 5));
    send(null, body("b", 7));
    assertThat(state.size()).isEqualTo(2);
    send(null, body("a", -5));
    assertThat(state.size()).isEqualTo(1);
    assertThat(sum("b")).isEqualTo("7");
  }

  @Test
  void keysAndNamesOfTablesWithHalfOfASurrogatePairAreRefused() {
    String face = Character.toString(0x1F600);
    assertThat(send(null, body(face, 5)).body()).isEqualTo("5");
    for (String half : List.of("\ud83d", "\ude00", "a\ud83db", "\ude00\ud83d")) {
      assertThatThrownBy(() -> send(null, body(half, 7)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("key has half of a surrogate pair");
      ChangeSet changes = new ChangeSet(state);
      assertThatThrownBy(() -> new StoredTable<>(changes, half, Serde.LONG))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("name has half of a surrogate pair");
      Table<Long> table = new StoredTable<>(changes, "sums", Serde.LONG);
      assertThatThrownBy(() -> table.remove(half)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(sum("?")).as("what half a pair would be in UTF-8").isEqualTo("0");
    assertThat(sum(face)).isEqualTo("5");
  }

  @Test
  void idsAndKeysOfRequestsWithHalfOfASurrogatePairAreRefused() {
    String face = Character.toString(0x1F600);
    GroupRequest whole = GroupRequest.decode(GroupRequest.encode(face, face, "body"));
    assertThat(whole.id()).isEqualTo(face);
    assertThat(whole.key()).isEqualTo(face);
    assertThatThrownBy(() -> GroupRequest.encode("\ud83d", "key", "body"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("id has half of a surrogate pair");
    assertThatThrownBy(() -> GroupRequest.encode("id", "\ude00", "body"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key has half of a surrogate pair");
  }

  @Test
  void anEmptyMessageIsNone() {
    assertThat(answer(Buffer.buffer()).length()).isZero();
    assertThat(state.size()).isZero();
  }

  @Test
  void aRequestOfAnotherVersionIsRefused() {
    GroupReply reply = GroupReply.decode(answer(Buffer.buffer(new byte[] {9, 0, 0})));
    assertThat(reply.code()).isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(reply.reason()).contains("version 9");
  }

  @Test
  void bodiesOfAllTypesReturnAsTheyWere() {
    ProcessorAdapter echo =
        new ProcessorAdapter((message, tables) -> message.body(), 0, "echo", null);
    for (Object body :
        new Object[] {
          null, "text", Buffer.buffer("bytes"), new JsonObject().put("a", 1), new JsonArray().add(1)
        }) {
      PlainReply out = new PlainReply();
      echo.onMessage(new PlainMessage(GroupRequest.encode("id", "key", body), 1), state, out);
      assertThat(GroupReply.decode(out.reply()).body()).isEqualTo(body);
    }
  }

  @Test
  void theProcessorIsToldTheVersionInWhichItWrites() {
    GroupProcessor<String> newer =
        new GroupProcessor<>() {
          @Override
          public Object handle(GroupMessage<String> message, GroupState state) {
            return "writes " + state.version();
          }

          @Override
          public Object read(GroupMessage<String> message, GroupState state) {
            return "reads " + state.version();
          }

          @Override
          public int version() {
            return 3;
          }
        };
    ProcessorAdapter adapted = new ProcessorAdapter(newer, 0, "newer", null);
    assertThat(adapted.version()).isEqualTo(3);
    Buffer request = GroupRequest.encode(null, null, "?");
    PlainReply out = new PlainReply();
    adapted.onMessage(new PlainMessage(request, 1, 2), state, out);
    assertThat(GroupReply.decode(out.reply()).body()).isEqualTo("writes 2");
    assertThat(GroupReply.decode(adapted.read(request, state)).body()).isEqualTo("reads 3");
  }
}
