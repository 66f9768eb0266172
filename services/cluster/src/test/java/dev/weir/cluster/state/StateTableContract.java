package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.StateView;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a state's objects do, wherever they are. */
abstract class StateTableContract {
  private static final int SEEDS = 60;

  private StateTable table;

  /** An empty table. */
  abstract StateTable open(int maxChangeBytes) throws IOException;

  /** All objects of a view, as another replica gets them; closes the view. */
  abstract byte[] whole(StateView view) throws IOException;

  @BeforeEach
  void openTable() throws IOException {
    table = open(1 << 20);
  }

  private static ByteBuffer bytes(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(values.length);
    for (int value : values) {
      buffer.put((byte) value);
    }
    return buffer.flip();
  }

  @Test
  void whatIsPutIsCopied() {
    ByteBuffer value = bytes(9, 1, 2, 3, 9).position(1).limit(4);
    table.put(5, value);
    assertThat(value.position()).isEqualTo(1);
    assertThat(value.limit()).isEqualTo(4);
    value.put(1, (byte) 77);
    assertThat(table.get(5)).isEqualTo(bytes(1, 2, 3));
    assertThat(table.get(6)).isNull();
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  void whatIsGotIsAlwaysAFreshReadOnlyView() {
    table.put(5, bytes(0, 0, 0, 7));
    ByteBuffer view = table.get(5);
    assertThatThrownBy(() -> view.put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
    view.order(ByteOrder.LITTLE_ENDIAN).position(2).limit(3);
    assertThat(table.get(5).getInt()).isEqualTo(7);
  }

  @Test
  void anObjectCanBeMadeFromAPieceOfItselfOrOfAnother() {
    table.put(5, bytes(1, 2, 3, 4));
    table.put(5, table.get(5).position(2));
    assertThat(table.get(5)).isEqualTo(bytes(3, 4));
    table.put(6, table.get(5));
    assertThat(table.get(6)).isEqualTo(bytes(3, 4));
  }

  @Test
  void changesAreRecordedInTheirLayout() {
    table.put(1, bytes(1));
    table.begin();
    table.put(2, bytes(7, 8));
    table.remove(1);
    table.remove(99);
    ByteBuffer changes = table.changes().duplicate().flip();
    assertThat(changes.remaining()).isEqualTo(table.changeBytes()).isEqualTo(4 + 14 + 12);
    assertThat(changes.getInt()).isEqualTo(2);
    assertThat(changes.getLong()).isEqualTo(2);
    assertThat(changes.getInt()).isEqualTo(2);
    assertThat(changes.getShort()).isEqualTo((short) (7 << 8 | 8));
    assertThat(changes.getLong()).isEqualTo(1);
    assertThat(changes.getInt()).isEqualTo(-1);
  }

  @Test
  void whatAreNoChangesIsRefused() throws IOException {
    table.put(2, bytes(7, 8));
    ByteBuffer changes = table.changes();
    int whole = table.changeBytes();
    StateTable other = open(1 << 20);
    other.apply(changes, 0, whole);
    for (int cut = 0; cut < whole; cut++) {
      int length = cut;
      assertThatThrownBy(() -> other.apply(changes, 0, length))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> other.apply(changes, 0, whole + 1))
        .hasMessage("no changes of a state are in the 19 bytes from 0 on");
  }

  @Test
  void rubbishIsNotRestored() {
    byte[] rubbish = {0, 0, 0, 9, 0, 0, 0, 1};
    assertThatThrownBy(() -> table.restore(new DataInputStream(new ByteArrayInputStream(rubbish))))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("a state has format 9 with 1 objects, known is ");
  }

  @Test
  void objectsThatAreTooLargeToBeCopiedAreRolledBackToo() throws IOException {
    StateTable small = open(100);
    small.put(1, ByteBuffer.allocate(60).put(0, (byte) 1));
    small.begin();
    small.put(2, ByteBuffer.allocate(60).put(0, (byte) 2));
    small.begin();
    small.put(1, bytes(7));
    small.put(2, bytes(8));
    small.put(2, bytes(9, 9));
    small.remove(1);
    assertThat(small.get(2)).isEqualTo(bytes(9, 9));
    small.rollBack();
    assertThat(small.get(1)).isEqualTo(ByteBuffer.allocate(60).put(0, (byte) 1));
    assertThat(small.get(2)).isEqualTo(ByteBuffer.allocate(60).put(0, (byte) 2));
    assertThat(small.changeBytes()).isEqualTo(4);
  }

  @Test
  void aViewStaysAsItWasWhateverChangesMeanwhile() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      StateTable tested = open(1 << 20);
      TreeMap<Long, ByteBuffer> model = new TreeMap<>();
      for (int round = 0; round < 5; round++) {
        change(tested, model, random, 100);
        byte[] expected = whole(model);
        StateView view = tested.view();
        change(tested, model, random, random.nextInt(200));
        assertThat(whole(view)).as("seed %s, round %s", seed, round).isEqualTo(expected);
        change(tested, model, random, random.nextInt(10));
        compare(tested, model);
      }
    }
  }

  @Test
  void aViewThatIsNotSavedIsClosed() throws IOException {
    table.put(1, bytes(1));
    StateView view = table.view();
    table.put(1, bytes(2));
    table.put(2, bytes(3));
    view.close();
    assertThat(table.isViewed()).isFalse();
    assertThat(whole(table.view()))
        .isEqualTo(whole(new TreeMap<>(Map.of(1L, bytes(2), 2L, bytes(3)))));
  }

  private static byte[] whole(TreeMap<Long, ByteBuffer> model) {
    int bytes = model.values().stream().mapToInt(value -> 12 + value.remaining()).sum();
    ByteBuffer out = ByteBuffer.allocate(8 + bytes).putInt(1).putInt(model.size());
    model.forEach((id, value) -> out.putLong(id).putInt(value.remaining()).put(value.duplicate()));
    return out.array();
  }

  private static void change(
      StateTable tested, TreeMap<Long, ByteBuffer> model, Random random, int steps) {
    for (int step = 0; step < steps; step++) {
      tested.begin();
      TreeMap<Long, ByteBuffer> before = new TreeMap<>(model);
      change(tested, model, random);
      change(tested, model, random);
      if (random.nextInt(3) == 0) {
        tested.rollBack();
        model.clear();
        model.putAll(before);
      }
    }
  }

  @Test
  void changesThatAreTooLargeAreRefusedBeforeTheyAreMade() throws IOException {
    StateTable small = open(100);
    small.put(1, bytes(1));
    assertThatThrownBy(() -> small.put(1, ByteBuffer.allocate(72)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a message changed 101 bytes of state, allowed is 100");
    assertThat(small.get(1)).isEqualTo(bytes(1));
  }

  @Test
  void behavesLikeAMapAndSoDoesItsBackup() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      behavesLikeAMapAndSoDoesItsBackup(new Random(seed));
    }
  }

  private void behavesLikeAMapAndSoDoesItsBackup(Random random) throws IOException {
    StateTable tested = open(1 << 20);
    StateTable backup = new StateTable(1 << 20);
    TreeMap<Long, ByteBuffer> model = new TreeMap<>();
    for (int step = 0; step < 100; step++) {
      tested.begin();
      TreeMap<Long, ByteBuffer> before = new TreeMap<>(model);
      for (int change = random.nextInt(5); change > 0; change--) {
        change(tested, model, random);
      }
      if (random.nextInt(3) == 0) {
        tested.rollBack();
        model.clear();
        model.putAll(before);
      }
      ByteBuffer sent = ByteBuffer.allocateDirect(tested.changeBytes() + 10);
      sent.put(5, tested.changes(), 0, tested.changeBytes());
      backup.apply(sent, 5, tested.changeBytes());
      if (step % 40 == 20) {
        byte[] copied = whole(tested.view());
        tested = open(1 << 20);
        tested.put(1234, bytes(1));
        tested.restore(new DataInputStream(new ByteArrayInputStream(copied)));
      }
    }
    compare(tested, model);
    compare(backup, model);
    assertThat(whole(tested.view())).isEqualTo(whole(model));
    backup.restore(null);
    assertThat(backup.size()).isZero();
  }

  private static void change(StateTable tested, TreeMap<Long, ByteBuffer> model, Random random) {
    long id = random.nextInt(30) - 10;
    if (random.nextInt(4) == 0) {
      tested.remove(id);
      model.remove(id);
      return;
    }
    byte[] value = new byte[random.nextInt(20) == 0 ? 2000 : random.nextInt(50)];
    random.nextBytes(value);
    tested.put(id, ByteBuffer.wrap(value));
    model.put(id, ByteBuffer.wrap(value));
    assertThat(tested.get(id)).isEqualTo(model.get(id));
  }

  private static void compare(StateTable tested, Map<Long, ByteBuffer> model) {
    assertThat(tested.size()).isEqualTo(model.size());
    for (long id = -10; id < 20; id++) {
      assertThat(tested.get(id)).isEqualTo(model.get(id));
    }
  }
}
