package dev.weir.cluster;

import dev.weir.cluster.state.StateTable;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Objects of an {@link EventSourcedProcessor}, bytes by id, of which a view costs nothing however
 * many there are. A processor that keeps its state here returns {@link #view} from its own {@link
 * EventSourcedProcessor#view}, saves with {@code view().save(out)} and restores with {@link
 * #restore}.
 *
 * <p>While a view is open, an object that changes is replaced, and so is a part of the index with
 * at most some hundred references. Nothing has to be done when a view ends. One thread at a time,
 * except for the view.
 */
public final class ViewableState implements State {
  private final StateTable table = new StateTable(Integer.MAX_VALUE);

  @Override
  public ByteBuffer get(long id) {
    return table.get(id);
  }

  @Override
  public void put(long id, ByteBuffer value) {
    table.begin();
    table.put(id, value);
  }

  @Override
  public void remove(long id) {
    table.begin();
    table.remove(id);
  }

  @Override
  public int size() {
    return table.size();
  }

  /**
   * The objects as they are now; one view at a time. It must be closed.
   *
   * @throws IllegalStateException if another view is open
   */
  public StateView view() {
    if (table.isViewed()) {
      throw new IllegalStateException("another view of this state is open");
    }
    return table.view();
  }

  /**
   * Replaces all objects by those that a view wrote.
   *
   * @param in null for no objects
   * @throws IOException if {@code in} does or holds something else
   */
  public void restore(DataInput in) throws IOException {
    table.restore(in);
  }
}
