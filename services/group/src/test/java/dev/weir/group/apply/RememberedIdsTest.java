package dev.weir.group.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.state.StateTable;
import dev.weir.flow.FlowFailure;
import dev.weir.group.wire.GroupReply;
import io.vertx.core.buffer.Buffer;
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

  private ByteBuffer reply(int number) {
    ByteBuffer known = ids.find(ChangeSet.readOnly(state), "id " + number);
    assertThat(known).as("what is known of " + number).isNotNull();
    assertThat(known.getLong()).as("the content of " + number).isEqualTo(number);
    return known;
  }

  /** An earlier version knows the first two numbers, and keeps the others as they are. */
  private void addByAnEarlierVersion(int from, int to) {
    state.begin();
    ChangeSet changes = new ChangeSet(state);
    ByteBuffer ends = ByteBuffer.wrap(changes.get("\1ends"));
    for (int i = from; i < to; i++) {
      long next = ends.getLong(Long.BYTES);
      String id = "id " + i;
      changes.put("\1id " + id, ByteBuffer.allocate(Long.BYTES + SMALL).putLong(i).array());
      changes.put("\1at " + next, id.getBytes(StandardCharsets.UTF_8));
      ends.putLong(Long.BYTES, next + 1);
    }
    changes.put("\1ends", ends.array());
    changes.apply();
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
      addByAnEarlierVersion(20_000 + 500 * round, 20_500 + 500 * round);
      addAll(1_000 + 100 * round, 1_100 + 100 * round, SMALL);
    }
    assertThat(remembered()).isLessThan(HEAP_BYTES / LEAST_BYTES);
    addAll(2_000, 12_000, SMALL);
    assertThat(remembered()).isBetween(HEAP_BYTES / 400, HEAP_BYTES / LEAST_BYTES);
  }

  @Test
  void largeRepliesAreForgottenBeforeTheIdsSoThatNoRepeatIsAppliedAgain() {
    addAll(0, 1_000, LARGE);
    for (int i = 0; i < 1_000; i++) {
      ByteBuffer reply = reply(i);
      if (i >= 990) {
        assertThat(reply.remaining()).as("bytes of the reply to " + i).isEqualTo(LARGE);
      } else if (i < 980) {
        // What any version gives to a repeat: a refusal.
        GroupReply refusal = GroupReply.decode(Buffer.buffer(remaining(reply)));
        assertThat(refusal.code()).isEqualTo(FlowFailure.FORGOTTEN.code());
        assertThat(refusal.reason()).isEqualTo("message applied before, reply forgotten");
      }
    }
    assertThat(replyBytes(0, 1_000) + remembered() * LEAST_BYTES).isLessThan(HEAP_BYTES);
  }

  private static byte[] remaining(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void idsWithoutTheirRepliesHaveHalfOfTheRoom() {
    addAll(0, 10_000, 1_000);
    assertThat(remembered()).isBetween(HEAP_BYTES / 2 / 400, HEAP_BYTES / LEAST_BYTES);
    assertThat(reply(9_999 - HEAP_BYTES / 2 / 1_400).remaining()).isEqualTo(1_000);
    assertThat(knows(0)).isFalse();
  }

  @Test
  void aReplyThatIsNoLargerThanItsRefusalIsKept() {
    addAll(0, 20_000, SMALL);
    assertThat(replyBytes(0, 20_000)).isEqualTo(remembered() * SMALL);
  }

  @Test
  void largeRepliesThatAnEarlierVersionLeftAreForgottenByTheirSize() {
    RememberedIds unlimited = new RememberedIds(MAX, new IdRoom(Long.MAX_VALUE), "ids");
    for (int i = 0; i < 500; i++) {
      add(unlimited, i, LARGE);
    }
    addByAnEarlierVersion(500, 501);
    addAll(501, 600, SMALL);
    assertThat(replyBytes(0, 600) + remembered() * LEAST_BYTES).isLessThan(HEAP_BYTES);
    assertThat(remembered()).isEqualTo(600);
  }

  @Test
  void idsThatFitStayWhenAnEarlierVersionHasAddedOne() {
    addAll(0, 3_000, SMALL);
    addByAnEarlierVersion(3_000, 3_001);
    addAll(3_001, 3_100, SMALL);
    assertThat(remembered()).isEqualTo(3_100);
  }

  @Test
  void aMessageThatFillsItsRoomForgetsNothing() {
    addAll(0, 2_000, 1_000);
    RememberedIds half = new RememberedIds(MAX, new IdRoom(HEAP_BYTES / 2), "ids");
    state.begin();
    ChangeSet alone = new ChangeSet(state);
    new RememberedIds(MAX, new IdRoom(Long.MAX_VALUE), "ids")
        .add(alone, "full", 1, new byte[SMALL]);
    ChangeSet changes = new ChangeSet(state);
    int idBytes = changes.room() - alone.room();
    int frame = 2 * Integer.BYTES + "all".length() + Long.BYTES + Integer.BYTES;
    changes.put("all", new byte[changes.room() - idBytes - frame]);
    half.add(changes, "full", 1, new byte[SMALL]);
    assertThat(changes.room()).isZero();
    changes.apply();
    assertThat(remembered()).isPositive();
  }
}
