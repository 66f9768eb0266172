package dev.weir.group.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.MemoryState;
import dev.weir.state.ChangePage;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.State;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shards in memory, whose clocks differ, and a reader that comes back with its position. */
class MergedChangesTest {
  private static final int SHARDS = 4;
  private static final int CHANGES = 400;

  private final List<MemoryState> states =
      IntStream.range(0, SHARDS).mapToObj(shard -> new MemoryState()).toList();
  private final Random random = new Random(17);
  private int written;
  private long nowMs = 1_000_000;

  /** What happens between two steps of a page. */
  private Runnable between = () -> {};

  private final MergedChanges.Shards shards =
      new MergedChanges.Shards() {
        @Override
        public Future<ShardChanges> read(int shard, long after, int limit) {
          between.run();
          ShardChanges page = new ShardLog(states.get(shard)).read(after, limit);
          return Future.succeededFuture(ShardChanges.decode(page.encode()));
        }

        @Override
        public Future<?> seal(int shard, long position) {
          between.run();
          new ShardLog(states.get(shard)).seal(position, nowMs);
          return Future.succeededFuture();
        }
      };

  /** Adds a change to a shard; the clock of each shard is another one. */
  private void write(int shard, long limitBytes) {
    byte[] content = ("{\"n\":" + written++ + "}").getBytes(StandardCharsets.UTF_8);
    byte[] key = ("shard-" + shard).getBytes(StandardCharsets.UTF_8);
    State after = new State(written, 0, content, DocumentFormat.JSON);
    LoggedChange change = LoggedChange.decided(key, State.ABSENT, after, nowMs - 50L * shard);
    new ShardLog(states.get(shard)).append(change, false, limitBytes);
  }

  private ChangePage page(Long from, int limit) {
    return Futures.result(
        "a page", new MergedChanges("cars", SHARDS, shards, from, limit, null).page());
  }

  @Test
  void aReaderGetsEachChangeOnceAndThoseOfAShardInTheirOrderWhileOthersWrite() {
    between =
        () -> {
          if (written < CHANGES && random.nextInt(3) > 0) {
            nowMs += random.nextInt(3);
            write(random.nextInt(SHARDS), 1 << 20);
          }
        };
    List<DocumentChange> got = new ArrayList<>();
    long position = 0;
    while (true) {
      ChangePage page = page(position, 1 + random.nextInt(5));
      assertThat(page.position()).isGreaterThanOrEqualTo(position);
      got.addAll(page.changes());
      if (written == CHANGES && page.position() == position) {
        break;
      }
      position = page.position();
    }
    assertThat(got).extracting(DocumentChange::position).isSorted().doesNotHaveDuplicates();
    assertThat(got)
        .extracting(change -> change.document().json().getInteger("n"))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, CHANGES).boxed().toList());
    for (int shard = 0; shard < SHARDS; shard++) {
      String key = "shard-" + shard;
      assertThat(got.stream().filter(change -> change.key().equals(key)).toList())
          .extracting(DocumentChange::version)
          .isSorted();
    }
  }

  @Test
  void thePositionOfNowIsBehindAllThatIsThereAndBeforeAllThatComes() {
    for (int i = 0; i < 20; i++) {
      write(i % SHARDS, 1 << 20);
    }
    long now = page(null, 10).position();
    assertThat(page(now, 10).changes()).isEmpty();
    // The shard whose clock is behind the others.
    write(SHARDS - 1, 1 << 20);
    write(0, 1 << 20);
    assertThat(page(now, 10).changes()).hasSize(2);
  }

  @Test
  void aReaderThatIsTooLateOrAheadOfAllIsRefused() {
    write(0, 1 << 20);
    long first = page(0L, 10).position();
    for (int i = 0; i < 20; i++) {
      write(1, 1);
    }
    assertThat(failure(0)).hasMessageContaining("has not all changes behind position 0 any more");
    assertThat(failure(first)).isNotNull();
    long now = page(null, 10).position();
    assertThat(page(now, 10).position()).isEqualTo(now);
    assertThat(failure(now + SHARDS)).hasMessageContaining("has no change at position");
  }

  private DocumentException failure(long from) {
    return (DocumentException)
        Futures.failure("a page", new MergedChanges("cars", SHARDS, shards, from, 10, null).page());
  }
}
