package dev.weir.group.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.state.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RememberedIdsTest {
  private static final int MAX = 100_000;
  private static final int HEAP_BYTES = 1 << 20;
  private static final int SMALL = 10;
  private static final int LARGE = 60_000;

  /** What an id takes at least, with its characters. */
  private static final int LEAST_BYTES = 200;

  private final StateTable state = new StateTable(5 << 16);
  private final IdRoom room = new IdRoom(HEAP_BYTES);
  private final RememberedIds ids = new RememberedIds(MAX, room, "ids");

  private void add(RememberedIds to, int number, int replyBytes) {
    state.begin();
    ChangeSet changes = new ChangeSet(state);
    to.add(changes, "id " + number, number, new byte[replyBytes]);
    changes.apply();
  }

  private void addAll(int from, int to, int replyBytes) {
    for (int i = from; i < to; i++) {
      add(ids, i, replyBytes);
    }
  }

  private boolean knows(int number) {
    return ids.find(ChangeSet.readOnly(state), "id " + number) != null;
  }

  /** Bytes of the replies to the messages with these numbers. */
  private int replyBytes(int from, int to) {
    int bytes = 0;
    for (int i = from; i < to; i++) {
      ByteBuffer known = ids.find(ChangeSet.readOnly(state), "id " + i);
      bytes += known == null ? 0 : known.remaining() - Long.BYTES;
    }
    return bytes;
  }

  /** Two objects for each id, and one for their ends. */
  private int remembered() {
    return state.size() / 2;
  }

  @Test
  void idsTakeNoMoreThanTheirHeap() {
    addAll(0, 20_000, SMALL);
    assertThat(remembered()).isBetween(HEAP_BYTES / 400, HEAP_BYTES / LEAST_BYTES);
    assertThat(knows(19_999 - HEAP_BYTES / 400)).as("one of the last").isTrue();
    assertThat(knows(19_999 - HEAP_BYTES / LEAST_BYTES)).as("an older one").isFalse();
  }

  @Test
  void repliesTakeNoMoreThanTheirHeapInWhateverOrderTheyCome() {
    Random random = new Random(1);
    int added = 0;
    for (int phase = 0; phase < 40; phase++) {
      int messages = random.nextInt(2_000);
      boolean large = random.nextBoolean();
      for (int i = 0; i < (large ? messages / 50 : messages); i++) {
        add(ids, added++, random.nextInt(large ? LARGE : SMALL));
      }
      assertThat(replyBytes(0, added) + remembered() * LEAST_BYTES)
          .as("bytes after " + added)
          .isLessThanOrEqualTo(HEAP_BYTES);
    }
    addAll(added, added + MAX / 10, SMALL);
    assertThat(remembered()).as("small ones again").isGreaterThan(HEAP_BYTES / 400);
  }

  @Test
  void theReplicasOfAMemberHaveTheSamePartEach() throws Exception {
    AutoCloseable one = room.open();
    AutoCloseable other = room.open();
    addAll(0, 10_000, SMALL);
    int half = remembered();
    other.close();
    addAll(10_000, 20_000, SMALL);
    assertThat(remembered()).isBetween(half * 19 / 10, 2 * half);
    room.open();
    addAll(20_000, 21_000, SMALL);
    assertThat(remembered()).as("as before").isBetween(half * 19 / 20, half);
    one.close();
  }

  @Test
  void theLastReplyIsRememberedHoweverLargeItIs() {
    RememberedIds tight = new RememberedIds(MAX, new IdRoom(0), "ids");
    for (int i = 0; i < 3; i++) {
      add(tight, i, LARGE);
      assertThat(knows(i)).isTrue();
      assertThat(remembered()).isEqualTo(1);
    }
  }

  @Test
  void idsOfAnEarlierVersionAreForgottenTooAndTheBytesAreCorrectAfterwards() {
    RememberedIds unlimited = new RememberedIds(MAX, new IdRoom(Long.MAX_VALUE), "ids");
    for (int i = 0; i < 10_000; i++) {
      add(unlimited, i, SMALL);
    }
    // An earlier version knows the first two numbers, and keeps the others as they are.
    state.begin();
    ChangeSet changes = new ChangeSet(state);
    changes.put("\1ends", Arrays.copyOf(changes.get("\1ends"), 2 * Long.BYTES));
    changes.apply();
    addAll(10_000, 11_000, SMALL);
    assertThat(remembered()).isLessThan(HEAP_BYTES / LEAST_BYTES);
    addAll(11_000, 20_000, SMALL);
    assertThat(remembered()).isBetween(HEAP_BYTES / 400, HEAP_BYTES / LEAST_BYTES);
  }

  @Test
  void idsThatAnEarlierVersionAddsInBetweenAreCounted() {
    addAll(0, 1_000, SMALL);
    for (int round = 0; round < 10; round++) {
      state.begin();
      ChangeSet changes = new ChangeSet(state);
      ByteBuffer ends = ByteBuffer.wrap(changes.get("\1ends"));
      for (int i = 0; i < 500; i++) {
        long next = ends.getLong(Long.BYTES);
        String id = "earlier " + next;
        changes.put("\1id " + id, new byte[Long.BYTES + SMALL]);
        changes.put("\1at " + next, id.getBytes(StandardCharsets.UTF_8));
        ends.putLong(Long.BYTES, next + 1);
      }
      changes.put("\1ends", ends.array());
      changes.apply();
      addAll(1_000 + 100 * round, 1_100 + 100 * round, SMALL);
    }
    assertThat(remembered()).isLessThan(HEAP_BYTES / LEAST_BYTES);
    addAll(2_000, 12_000, SMALL);
    assertThat(remembered()).isBetween(HEAP_BYTES / 400, HEAP_BYTES / LEAST_BYTES);
  }
}
