package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.State;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.testing.Await;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PagedValuesTest {
  private static final int OBJECT_BYTES = 100;

  /** So many are in memory at most where there is no heap. */
  private static final int LEAST = 8;

  private final KnownObjects stored = new KnownObjects();

  /** Knows which objects it has, but not their bytes. */
  private static final class KnownObjects implements StoredObjects {
    private final Set<Long> ids = new HashSet<>();
    private long reads;

    @Override
    public byte[] get(long id) {
      reads++;
      return ids.contains(id) ? new byte[OBJECT_BYTES] : null;
    }

    @Override
    public boolean has(long id) {
      return ids.contains(id);
    }

    @Override
    public void put(long id, long mark, byte[] bytes, int length) {
      ids.add(id);
    }

    @Override
    public void remove(long id, long mark) {
      ids.remove(id);
    }

    @Override
    public long mark() {
      return 1;
    }

    @Override
    public long rollBack() {
      return 0;
    }

    @Override
    public void clear() {}

    @Override
    public Arrival arrive() {
      throw new AssertionError("nothing comes");
    }

    @Override
    public void onClose(Runnable listener) {}
  }

  private static void set(PagedValues values, long id) {
    values.set(id, ByteBuffer.allocate(OBJECT_BYTES), 0, OBJECT_BYTES);
  }

  private PagedValues holding(State.Heap heap, int objects) {
    PagedValues values = new PagedValues(stored, heap);
    for (long id = 0; id < objects; id++) {
      set(values, id);
    }
    return values;
  }

  private static long held(List<WeakReference<ObjectValue>> values) {
    System.gc();
    return values.stream().filter(value -> value.get() != null).count();
  }

  @Test
  void whoHoldsAnObjectThatWasRemovedOrReplacedHoldsNoOther() {
    PagedValues values = holding(new State.Heap(0), 1_000);
    ObjectValue removed = values.remove(1);
    List<WeakReference<ObjectValue>> read = new ArrayList<>();
    for (long id = 2; id < 1_000; id++) {
      read.add(new WeakReference<>(values.get(id)));
    }
    Await.until("what left the memory is forgotten", () -> held(read) <= LEAST);
    assertThat(removed.length()).isEqualTo(OBJECT_BYTES);
    assertThat(values.size()).isEqualTo(999);
  }

  @Test
  void whatIsHeldAtAResetHoldsNoOther() {
    PagedValues values = holding(new State.Heap(1 << 20), 100);
    ObjectValue held = values.get(0);
    List<WeakReference<ObjectValue>> others = new ArrayList<>();
    for (long id = 1; id < 100; id++) {
      others.add(new WeakReference<>(values.get(id)));
    }
    values.reset();
    Await.until("the others are forgotten", () -> held(others) == 0);
    assertThat(held.length()).isEqualTo(OBJECT_BYTES);
  }

  @Test
  void aPartOfTheHeapThatBecomesSmallerIsGivenBackWhenTimePasses() {
    State.Heap heap = new State.Heap(1 << 20);
    PagedValues values = holding(heap, 1_000);
    assertThat(stored.ids).isEmpty();
    heap.join(1_000_000);
    values.tick();
    assertThat(stored.ids).as("written in one call").hasSize(200);
    for (int i = 0; i < 5; i++) {
      values.tick();
    }
    assertThat(stored.ids).hasSize(1_000 - LEAST);
  }

  @Test
  void whatAViewAloneHasCountsToo() throws IOException {
    int objects = 900;
    PagedValues values = holding(new State.Heap(1_000 * (OBJECT_BYTES + 260)), objects);
    StateView view = values.view();
    for (long id = 0; id < objects; id++) {
      set(values, id);
    }
    assertThat(stored.ids).hasSizeGreaterThan(objects / 2);
    view.save(new DataOutputStream(OutputStream.nullOutputStream()));
    assertThat(stored.ids).hasSize(objects);
    view.close();
    assertThat(values.size()).isEqualTo(objects);
  }

  @Test
  void whatIsReplacedIsNotRead() {
    PagedValues values = holding(new State.Heap(0), 1_000);
    for (long id = 0; id < 1_000; id++) {
      set(values, id);
    }
    assertThat(values.size()).isEqualTo(1_000);
    assertThat(stored.reads).isZero();
  }
}
