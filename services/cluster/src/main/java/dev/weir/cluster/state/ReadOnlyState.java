package dev.weir.cluster.state;

import dev.weir.cluster.State;
import java.nio.ByteBuffer;

/** A state that refuses changes. */
final class ReadOnlyState implements State {
  private final State state;

  ReadOnlyState(State state) {
    this.state = state;
  }

  @Override
  public ByteBuffer get(long id) {
    return state.get(id);
  }

  @Override
  public void put(long id, ByteBuffer value) {
    throw refused();
  }

  @Override
  public void remove(long id) {
    throw refused();
  }

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException("a read changes nothing");
  }

  @Override
  public int size() {
    return state.size();
  }

  @Override
  public int room() {
    return 0;
  }
}
