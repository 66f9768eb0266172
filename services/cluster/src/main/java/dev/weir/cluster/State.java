package dev.weir.cluster;

import java.nio.ByteBuffer;

/** The objects of a {@link StateReplicatedProcessor}: bytes by id. */
public interface State {
  /**
   * The bytes of an object.
   *
   * @return a read-only view, valid until the next call to this state; null if there is none
   */
  ByteBuffer get(long id);

  /**
   * Replaces or creates an object.
   *
   * @param value its bytes from position to limit, copied; position and limit stay as they are
   */
  void put(long id, ByteBuffer value);

  /** Removes an object if there is one. */
  void remove(long id);

  /** The number of objects. */
  int size();
}
