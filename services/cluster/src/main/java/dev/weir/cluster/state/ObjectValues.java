package dev.weir.cluster.state;

import dev.weir.cluster.StateView;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the objects of a {@link StateTable} are. One thread at a time, but for views. */
interface ObjectValues {
  /** Null if there is none. It is valid until the next call. */
  ObjectValue get(long id);

  /** Sets the bytes of an object, which is made if there is none. */
  void set(long id, ByteBuffer from, int at, int length);

  /** Puts an object back that {@link #take} or {@link #remove} gave. */
  void putBack(long id, ObjectValue value);

  /** Returns what was removed, or null. */
  ObjectValue remove(long id);

  /**
   * Gives up an object that is set next, so that it stays as it is.
   *
   * @return the object
   */
  ObjectValue take(long id);

  /** Whether the bytes of an object are changed by the next {@link #set}, and not replaced. */
  boolean isChangedInPlace(ObjectValue value);

  int size();

  /** Lets time pass. */
  default void tick() {}

  /** Whether a view is open. */
  boolean isViewed();

  /** The objects as they are now, for another thread; one view at a time. */
  StateView view();

  /** Goes back to what the snapshots of the log have, or removes everything. */
  void reset();

  /**
   * Replaces everything by what a {@link #view} wrote; {@link #reset} was called before.
   *
   * @throws IOException if the stream holds anything else
   */
  void restore(DataInput in) throws IOException;

  /** Reads bytes that an object may have. */
  static byte[] read(DataInput in, long id) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw new IOException("object " + id + " has " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /** What to say of a stream that is no state. */
  static IOException unknown(int format, int objects, int known) {
    return new IOException(
        "a state has format " + format + " with " + objects + " objects, known is " + known);
  }
}
