package dev.weir.group.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.state.StateTable;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.Serde;
import dev.weir.group.UndeliveredMessage;
import dev.weir.group.wire.GroupCommand;
import dev.weir.group.wire.GroupRequest;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timers and refused messages whose handlers fail in every way that they can. */
class FailingDutiesTest {
  private static final int MAX_CHANGE_BYTES = 4_096;

  private final StateTable state = new StateTable(MAX_CHANGE_BYTES);
  private final List<String> fired = new ArrayList<>();
  private long nowMs = 1_000;

  private final GroupProcessor<String> processor =
      new GroupProcessor<>() {
        @Override
        public Object handle(GroupMessage<String> message, GroupState to) {
          if (message.body().startsWith("send ")) {
            to.outbox().request("there", "key", message.body());
          } else {
            to.timers().set(message.body(), message.timestampMs(), null);
          }
          return null;
        }

        @Override
        public void onTimer(GroupTimer timer, GroupState to) {
          fired.add(timer.name());
          fail(timer.name(), to);
        }

        @Override
        public void onUndelivered(UndeliveredMessage message, GroupState to) {
          fired.add((String) message.body());
          fail((String) message.body(), to);
        }
      };

  private final ProcessorAdapter adapter = new ProcessorAdapter(processor, 0, "failing", null);

  private static void fail(String how, GroupState to) {
    to.table("done", Serde.LONG).put(how, 1L);
    if (how.endsWith("error")) {
      throw new StackOverflowError("a deep one");
    }
    if (how.endsWith("large")) {
      to.table("large", Serde.BYTES).put("large", Buffer.buffer(new byte[MAX_CHANGE_BYTES]));
    }
  }

  /** As the group does; what the adapter throws rejects the message. */
  private void apply(Buffer message) {
    state.begin();
    adapter.onMessage(new PlainMessage(message, nowMs), state, new PlainReply());
  }

  private PrimaryWork work() {
    return adapter.work(state, 0, 10);
  }

  private boolean isDone(String what) {
    return new StoredTable<>(new ChangeSet(state), "done", Serde.LONG).get(what) != null;
  }

  /** Fires the timer that is due first, as the primary does. */
  private void fireFirst() {
    apply(GroupCommand.timer(work().timer(), work().dueMs(), MAX_CHANGE_BYTES / 4));
  }

  @Test
  void aTimerThatFailsInAnyWayComesLaterAndTheOthersFire() {
    for (String name : List.of("error", "large", "fine")) {
      apply(GroupRequest.encode(null, null, name));
      nowMs++;
    }
    long firstMs = nowMs;
    for (int i = 0; i < 3; i++) {
      fireFirst();
      nowMs++;
    }
    assertThat(fired).containsExactly("error", "large", "fine");
    assertThat(isDone("fine")).isTrue();
    assertThat(isDone("error") || isDone("large")).as("a change of those that failed").isFalse();
    assertThat(work().timer()).isEqualTo("error");
    assertThat(work().dueMs()).isEqualTo(firstMs + 1_000);
    nowMs = firstMs + 1_000;
    fireFirst();
    assertThat(work().timer()).isEqualTo("large");
    nowMs++;
    fireFirst();
    assertThat(fired).endsWith("error", "large");
    assertThat(work().dueMs()).isEqualTo(firstMs + 3_000);
  }

  @Test
  void aTimerWhoseNameIsTooLongForAMessageFires() {
    String name = "n".repeat(MAX_CHANGE_BYTES / 4);
    apply(GroupRequest.encode(null, null, name));
    fireFirst();
    assertThat(fired).containsExactly(name);
    assertThat(work().timer()).isNull();
  }

  @Test
  void aTimerWhoseBodyIsTooLargeNowComesLaterWhenItFails() throws IOException {
    StateTable before = new StateTable(1 << 20);
    ChangeSet changes = new ChangeSet(before);
    new StoredTimers(changes).set("error", nowMs, Buffer.buffer(new byte[MAX_CHANGE_BYTES]));
    changes.apply();
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    before.view().save(new DataOutputStream(saved));
    state.restore(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    fireFirst();
    assertThat(fired).containsExactly("error");
    assertThat(work().dueMs()).isEqualTo(nowMs + 60_000);
  }

  @Test
  void aMessageThatWasRefusedIsRemovedHoweverItsHandlerFails() {
    for (String name : List.of("send error", "send large", "send fine")) {
      apply(GroupRequest.encode(null, null, name));
    }
    for (int number = 0; number < 3; number++) {
      apply(GroupCommand.undelivered(number, 1_000, "refused", MAX_CHANGE_BYTES / 4));
    }
    assertThat(fired).containsExactly("send error", "send large", "send fine");
    assertThat(work().messages()).isEmpty();
    assertThat(isDone("send fine")).isTrue();
    assertThat(isDone("send error") || isDone("send large")).isFalse();
  }
}
