package dev.weir.group.apply;

import dev.weir.cluster.State;
import dev.weir.group.placement.StableHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one message changes: read through to the state, and written to it at the end, or never.
 * Values have names, the state has numbers. An object of the state holds all names of one number,
 * which is hardly ever more than one:
 *
 * <pre>
 * for each: int bytes of the name, name in UTF-8, int bytes of the value, value
 * </pre>
 *
 * Not thread-safe.
 */
final class ChangeSet {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** What the state adds to the bytes of an object that changes. */
  private static final int CHANGE_BYTES = Long.BYTES + Integer.BYTES;

  private final State state;

  /** Objects as they are to be. */
  private final Map<Long, ByteBuffer> changed = new LinkedHashMap<>();

  private final boolean readOnly;
  private boolean wakes;

  /** What the changes take of the state's {@link State#room}. */
  private long bytes;

  ChangeSet(State state) {
    this(state, false);
  }

  private ChangeSet(State state, boolean readOnly) {
    this.state = state;
    this.readOnly = readOnly;
  }

  /** Nothing may be changed. */
  static ChangeSet readOnly(State state) {
    return new ChangeSet(state, true);
  }

  /** The value of a name; null if there is none. */
  byte[] get(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer object = object(StableHash.of(bytes));
    int at = find(object, bytes);
    return at < 0 ? null : value(object, at + Integer.BYTES + bytes.length);
  }

  void put(String name, byte[] value) {
    change(name, value);
  }

  void remove(String name) {
    change(name, null);
  }

  private void change(String name, byte[] value) {
    if (readOnly) {
      throw new UnsupportedOperationException("a read changes nothing");
    }
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    long id = StableHash.of(bytes);
    ByteBuffer old = object(id);
    int from = find(old, bytes);
    int to = from < 0 ? -1 : next(old, from);
    int added = value == null ? 0 : 2 * Integer.BYTES + bytes.length + value.length;
    ByteBuffer object = ByteBuffer.allocate(old.limit() - (to - from) + added);
    object.put(old.duplicate().limit(from < 0 ? old.limit() : from));
    if (from >= 0) {
      object.put(old.duplicate().position(to));
    }
    if (value != null) {
      object.putInt(bytes.length).put(bytes).putInt(value.length).put(value);
    }
    this.bytes += cost(id, object.flip()) - cost(id, changed.put(id, object));
  }

  /**
   * @param object null for one that does not change
   */
  private int cost(long id, ByteBuffer object) {
    return object == null || !object.hasRemaining() && state.get(id) == null
        ? 0
        : CHANGE_BYTES + object.remaining();
  }

  /** Bytes that may still be changed; below 0 after too many changes. */
  int room() {
    return (int) Math.max(Integer.MIN_VALUE, state.room() - bytes);
  }

  /**
   * Checks that the state allows all changes.
   *
   * @throws IllegalStateException if there are too many
   */
  void check() {
    if (room() < 0) {
      throw new IllegalStateException(
          "the changes take " + bytes + " bytes of state, allowed is " + state.room());
    }
  }

  /** The primary has something to do when the changes are written. */
  void wake() {
    wakes = true;
  }

  boolean wakes() {
    return wakes;
  }

  /** Writes the changes to the state. */
  void apply() {
    changed.forEach(
        (id, object) -> {
          if (object.hasRemaining()) {
            state.put(id, object);
          } else {
            state.remove(id);
          }
        });
  }

  private ByteBuffer object(long id) {
    ByteBuffer object = changed.get(id);
    object = object == null ? state.get(id) : object;
    return object == null ? NOTHING : object;
  }

  /** Where the entry of a name begins; -1 if there is none. */
  private static int find(ByteBuffer object, byte[] name) {
    for (int at = 0; at < object.limit(); at = next(object, at)) {
      if (Arrays.equals(value(object, at), name)) {
        return at;
      }
    }
    return -1;
  }

  private static int next(ByteBuffer object, int at) {
    int valueAt = at + Integer.BYTES + object.getInt(at);
    return valueAt + Integer.BYTES + object.getInt(valueAt);
  }

  private static byte[] value(ByteBuffer object, int at) {
    byte[] bytes = new byte[object.getInt(at)];
    object.get(at + Integer.BYTES, bytes);
    return bytes;
  }
}
