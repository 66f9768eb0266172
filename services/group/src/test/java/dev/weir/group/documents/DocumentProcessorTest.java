package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.MEMORY_FULL;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.REFUSED;
import static dev.weir.state.DocumentFailure.VERSION_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.cluster.state.StateTable;
import dev.weir.group.GroupMessage;
import dev.weir.group.MemoryState;
import dev.weir.group.RefusedException;
import dev.weir.group.apply.PlainMessage;
import dev.weir.group.apply.PlainReply;
import dev.weir.group.apply.PrimaryWork;
import dev.weir.group.apply.ProcessorAdapter;
import dev.weir.group.wire.GroupCommand;
import dev.weir.group.wire.GroupReply;
import dev.weir.group.wire.GroupRequest;
import dev.weir.state.DocumentFailure;
import dev.weir.state.DocumentFormat;
import dev.weir.state.Expected;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.WriteOptions;
import dev.weir.state.change.Operation;
import dev.weir.state.change.Operation.Kind;
import dev.weir.state.engine.Outcome;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentProcessorTest {
  private static final WriteOptions ANY = WriteOptions.DEFAULT;

  private final MemoryState state = new MemoryState();
  private final FactoryRules rules =
      new FactoryRules()
          .setValidator(
              (current, next) -> {
                if (next.containsKey("refused")) {
                  throw new dev.weir.state.RefusedException("no");
                }
              });
  private DocumentProcessor processor = processor(List.of("color"), 1 << 20);
  private long nowMs = 1_000;

  /** Passes each time that somebody looks at the clock. */
  private long passingNs;

  private long nowNs;

  private DocumentProcessor processor(List<String> indexes, long heapBytes) {
    return new DocumentProcessor(
        "cars",
        new FactoryOptions().setIndexes(indexes),
        rules,
        heapBytes,
        0,
        true,
        () -> nowNs += passingNs);
  }

  private Outcome run(String key, Kind kind, String body, WriteOptions options) {
    byte[] bytes = body == null ? null : Buffer.buffer(body.replace('\'', '"')).getBytes();
    Operation operation = new Operation(kind, bytes, DocumentFormat.JSON, null, options);
    Buffer request = ShardRequest.encode(operation);
    GroupMessage<Object> message = new GroupMessage<>(request, null, key, nowMs);
    return ShardReply.decode(
        (Buffer)
            (kind == Kind.GET ? processor.read(message, state) : processor.handle(message, state)));
  }

  private Outcome put(String key, String body) {
    return run(key, Kind.PUT, body, ANY);
  }

  private void assertRefused(DocumentFailure failure, Runnable call) {
    RefusedException refused = catchThrowableOfType(RefusedException.class, call::run);
    assertThat(refused).isNotNull();
    assertThat(refused.code()).as(refused.getMessage()).isEqualTo(failure.code());
  }

  private long found(String filter) {
    JsonObject question =
        new JsonObject()
            .put(ShardSearch.QUERY, new JsonObject().put("filter", filter))
            .put(ShardSearch.COUNTS, true);
    Object page = processor.read(new GroupMessage<>(question, null, "0", nowMs), state);
    return ShardPage.decode((Buffer) page).count();
  }

  @Test
  void versionsGrowAndNeverComeAgainAfterADeletion() {
    assertThat(put("a", "{'color':'red'}").created()).isTrue();
    assertThat(put("a", "{'color':'blue'}").state().version()).isEqualTo(2);
    assertThat(run("a", Kind.GET, null, ANY).state().object().getString("color")).isEqualTo("blue");
    run("a", Kind.DELETE, null, ANY);
    assertRefused(NOT_FOUND, () -> run("a", Kind.GET, null, ANY));
    assertThat(put("a", "{}").state().version()).isEqualTo(3);
  }

  @Test
  void whatIsRefusedChangesNothing() {
    put("a", "{'color':'red'}");
    int values = state.size();
    assertRefused(REFUSED, () -> put("a", "{'refused':1}"));
    WriteOptions second = ANY.expect(Expected.version(2));
    assertRefused(VERSION_MISMATCH, () -> run("a", Kind.PUT, "{}", second));
    assertRefused(BAD_REQUEST, () -> found("price = 1"));
    assertThat(state.size()).isEqualTo(values);
    assertThat(run("a", Kind.GET, null, ANY).state().version()).isEqualTo(1);
  }

  @Test
  void theIndexFollowsTheDocuments() {
    put("a", "{'color':'red'}");
    put("b", "{'color':'red'}");
    put("b", "{'color':'blue'}");
    assertThat(found("color = 'red'")).isEqualTo(1);
    assertThat(found("color >= 'a'")).isEqualTo(2);
    assertThat(found(null)).isEqualTo(2);
    run("a", Kind.DELETE, null, ANY);
    assertThat(found("color = 'red'")).isZero();
    assertThat(found(null)).isEqualTo(1);
  }

  @Test
  void aShardThatIsFullRefusesWhatIsMoreAndTakesWhatIsLess() {
    processor = processor(List.of("color"), 5_000);
    put("a", "{'color':'red'}");
    String large = "{'text':'" + "x".repeat(5_000) + "'}";
    assertRefused(MEMORY_FULL, () -> put("b", large));
    assertRefused(MEMORY_FULL, () -> put("a", large));
    put("a", "{}");
    run("a", Kind.DELETE, null, ANY);
    assertThat(new ShardTables(state).heapBytes()).isZero();
  }

  @Test
  void expiredDocumentsAreNotSeenAndATimerDeletesThem() {
    for (int i = 0; i < 150; i++) {
      run("a" + i, Kind.PUT, "{'color':'red'}", ANY.expireAfterMs(500 + i));
    }
    put("b", "{'color':'red'}");
    assertThat(state.pendingTimers().get("expiry").dueMs()).isEqualTo(1_500);
    nowMs = 10_000;
    assertRefused(NOT_FOUND, () -> run("a0", Kind.GET, null, ANY));
    assertThat(found("color = 'red'")).isEqualTo(1);
    for (int left = 51; left > 0; left = left == 51 ? 1 : 0) {
      var due = state.pendingTimers().remove("expiry");
      processor.onTimer(new dev.weir.group.GroupTimer(due.name(), null, due.dueMs(), nowMs), state);
      assertThat(new ShardTables(state).documents()).isEqualTo(left);
    }
    assertThat(state.pendingTimers()).isEmpty();
  }

  @Test
  void aCallThatLastsTooLongDoesAPartOfItsWork() {
    for (int i = 0; i < 10; i++) {
      run("a" + i, Kind.PUT, "{'color':'red'}", ANY.expireAfterMs(500));
    }
    passingNs = 30_000_000;
    assertThat(found("color = 'red'")).as("looks of 30 ms").isEqualTo(4);
    nowMs = 10_000;
    for (int left = 6; left >= 0; left = left == 6 ? 2 : left - 2) {
      var due = state.pendingTimers().remove("expiry");
      processor.onTimer(new dev.weir.group.GroupTimer(due.name(), null, due.dueMs(), nowMs), state);
      assertThat(new ShardTables(state).documents()).isEqualTo(left);
    }
    assertThat(state.pendingTimers()).isEmpty();
  }

  @Test
  void expiredDocumentsWithLongKeysAreDeletedFewAtATime() {
    StateTable small = new StateTable(1 << 16);
    processor = processor(List.of("color", "km", "owner"), 10 << 20);
    ProcessorAdapter adapter = new ProcessorAdapter(processor, 0, "cars", null);
    String body = "{'color':'" + "r".repeat(300) + "','km':1,'owner':'" + "o".repeat(300) + "'}";
    byte[] bytes = Buffer.buffer(body.replace('\'', '"')).getBytes();
    // Between two that expire is one that stays, which is written when they are deleted.
    for (int i = 0; i < 200; i++) {
      WriteOptions options = i % 2 == 0 ? ANY : ANY.expireAfterMs(1);
      Operation put = new Operation(Kind.PUT, bytes, DocumentFormat.JSON, null, options);
      String key = "k".repeat(400) + (1_000 + i);
      apply(adapter, small, GroupRequest.encode(null, key, ShardRequest.encode(put)));
    }
    nowMs += 1_000;
    for (int calls = 0; adapter.work(small, 0, 1).timer() != null; calls++) {
      assertThat(calls).as("calls that delete").isLessThan(200);
      PrimaryWork due = adapter.work(small, 0, 1);
      nowMs = Math.max(nowMs, due.dueMs());
      apply(adapter, small, GroupCommand.timer(due.timer(), due.dueMs(), 1 << 14));
    }
    Buffer figures = adapter.read(GroupRequest.encode(null, "0", new JsonObject()), small);
    assertThat(((Buffer) GroupReply.decode(figures).body()).getLong(0))
        .as("documents")
        .isEqualTo(100);
  }

  private void apply(ProcessorAdapter adapter, StateTable to, Buffer message) {
    PlainReply reply = new PlainReply();
    to.begin();
    adapter.onMessage(new PlainMessage(message, nowMs), to, reply);
    if (reply.reply().length() > 0) {
      assertThat(GroupReply.decode(reply.reply()).reason()).isNull();
    }
  }

  @Test
  void otherIndexesThanBeforeAreRefused() {
    put("a", "{'color':'red'}");
    processor = processor(List.of("color", "km"), 1 << 20);
    assertRefused(BAD_REQUEST, () -> put("b", "{}"));
    assertRefused(BAD_REQUEST, () -> found("km = 1"));
  }
}
