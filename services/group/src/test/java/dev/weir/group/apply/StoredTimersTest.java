package dev.weir.group.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.state.StateTable;
import dev.weir.group.GroupTimer;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StoredTimersTest {
  private final StateTable state = new StateTable(1 << 20);

  private void change(Consumer<StoredTimers> change) {
    ChangeSet changes = new ChangeSet(state);
    change.accept(new StoredTimers(changes));
    state.begin();
    changes.apply();
  }

  private StoredTimers now() {
    return new StoredTimers(new ChangeSet(state));
  }

  @Test
  void theFirstTimerIsTheOneThatIsDueFirstWhateverWasSetAndCancelled() {
    Random random = new Random(1);
    Map<String, Long> expected = new HashMap<>();
    for (int step = 0; step < 3_000; step++) {
      String name = "t" + random.nextInt(60);
      long due = random.nextInt(1_000);
      if (random.nextInt(3) == 0) {
        change(timers -> timers.cancel(name));
        expected.remove(name);
      } else {
        change(timers -> timers.set(name, due, null));
        expected.put(name, due);
      }
      StoredTimers.Due first = now().first();
      if (expected.isEmpty()) {
        assertThat(first).isNull();
      } else {
        assertThat(first.dueMs())
            .isEqualTo(expected.values().stream().mapToLong(d -> d).min().orElseThrow());
        assertThat(expected).containsEntry(first.name(), first.dueMs());
      }
    }
    List.copyOf(expected.keySet()).forEach(name -> change(timers -> timers.cancel(name)));
    assertThat(state.size()).as("objects of the state").isZero();
  }

  @Test
  void aTimerIsFoundOnlyForItsTimeAndWhenThatHasCome() {
    change(timers -> timers.set("t", 100, Buffer.buffer("body")));
    assertThat(now().find("t", 100, 99)).isNull();
    assertThat(now().find("t", 101, 200)).isNull();
    assertThat(now().find("u", 100, 200)).isNull();
    assertThat(now().find("t", 100, 200))
        .isEqualTo(new GroupTimer("t", Buffer.buffer("body"), 100, 200));
  }

  @Test
  void aTimerWhoseHandlerThrewComesLaterEachTime() {
    change(timers -> timers.set("t", 100, null));
    long nowMs = 100;
    for (long pauseMs : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000}) {
      GroupTimer timer = now().find("t", now().first().dueMs(), nowMs);
      change(timers -> timers.retry(timer));
      assertThat(now().first().dueMs()).isEqualTo(nowMs + pauseMs);
      nowMs += pauseMs;
    }
  }
}
