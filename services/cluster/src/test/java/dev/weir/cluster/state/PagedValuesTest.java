package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.State;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.testing.Await;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PagedValuesTest {
  private static final int OBJECT_BYTES = 100;

  /** So many are in memory at most where there is no heap. */
  private static final int LEAST = 8;

  private final EndlessObjects stored = new EndlessObjects();

  /** Has each object, and counts what is written. */
  private static final class EndlessObjects implements StoredObjects {
    private long writes;

    @Override
    public byte[] get(long id) {
      return new byte[OBJECT_BYTES];
    }

    @Override
    public void put(long id, long mark, byte[] bytes, int length) {
      writes++;
    }

    @Override
    public void remove(long id, long mark) {
      writes++;
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
    public void onClose(Runnable listener) {}
  }

  private static void set(PagedValues values, long id) {
    values.set(id, ByteBuffer.allocate(OBJECT_BYTES), 0, OBJECT_BYTES);
  }

  /** A view of more objects than there are in memory, so that the disk is asked for others. */
  private static PagedValues holding(StoredObjects stored, State.Heap heap) {
    PagedValues values = new PagedValues(stored, heap);
    for (long id = 0; id < LEAST * 2; id++) {
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
    PagedValues values = holding(stored, new State.Heap(0));
    set(values, 1);
    ObjectValue removed = values.remove(1);
    List<WeakReference<ObjectValue>> read = new ArrayList<>();
    for (long id = 1_000; id < 2_000; id++) {
      read.add(new WeakReference<>(values.get(id)));
    }
    Await.until("what left the memory is forgotten", () -> held(read) <= LEAST);
    assertThat(removed.length()).isEqualTo(OBJECT_BYTES);
    assertThat(values.size()).isEqualTo(LEAST * 2 - 1);
  }

  @Test
  void whatIsHeldAtAResetHoldsNoOther() {
    PagedValues values = holding(stored, new State.Heap(1 << 20));
    ObjectValue held = values.get(0);
    List<WeakReference<ObjectValue>> others = new ArrayList<>();
    for (long id = 1; id < LEAST * 2; id++) {
      others.add(new WeakReference<>(values.get(id)));
    }
    values.reset();
    Await.until("the others are forgotten", () -> held(others) == 0);
    assertThat(held.length()).isEqualTo(OBJECT_BYTES);
  }
}
