package dev.weir.group.apply;

import dev.weir.group.GroupTimer;
import dev.weir.group.Timers;
import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The timers of a group as a binary heap in its state, so that the next one is known at once, and
 * setting one of N changes about log N objects at most.
 *
 * <pre>
 * "\1timers"       int number of timers
 * "\1timer@ SLOT"  long due, name in UTF-8; no slot is due before its parent, (SLOT - 1) / 2
 * "\1timer NAME"   int slot
 * "\1timer=NAME"   int failed attempts, byte 1 if there is a body, body
 * </pre>
 */
final class StoredTimers implements Timers {
  private static final String COUNT = "\1timers";
  private static final String SLOT = "\1timer@";
  private static final String NAME = "\1timer ";
  private static final String BODY = "\1timer=";
  private static final long FIRST_RETRY_MS = 1_000;
  private static final long LAST_RETRY_MS = 60_000;
  private static final int MAX_SHIFT = 6;
  private static final int ATTEMPTS_AT = 0;
  private static final int HAS_BODY_AT = Integer.BYTES;
  private static final int BODY_AT = Integer.BYTES + 1;

  private final ChangeSet changes;

  /** A timer and its time. */
  record Due(long dueMs, String name) {}

  StoredTimers(ChangeSet changes) {
    this.changes = changes;
  }

  @Override
  public void set(String name, long dueMs, Buffer body) {
    Checks.encodable("name", Checks.notNull("name", name));
    cancel(name);
    Buffer value = Buffer.buffer().appendInt(0).appendByte((byte) (body == null ? 0 : 1));
    changes.put(BODY + name, (body == null ? value : value.appendBuffer(body)).getBytes());
    int count = count();
    setCount(count + 1);
    up(count, new Due(dueMs, name));
    changes.wake();
  }

  @Override
  public void cancel(String name) {
    byte[] at = changes.get(NAME + Checks.encodable("name", Checks.notNull("name", name)));
    if (at == null) {
      return;
    }
    int slot = ByteBuffer.wrap(at).getInt();
    int last = count() - 1;
    Due moved = slot(last);
    changes.remove(SLOT + last);
    changes.remove(NAME + name);
    changes.remove(BODY + name);
    setCount(last);
    if (slot < last) {
      down(slot, moved, last);
    }
    changes.wake();
  }

  /** The timer that is due first; null if there is none. */
  Due first() {
    return count() == 0 ? null : slot(0);
  }

  /** The name of the timer that is due first; empty if there is none. */
  String firstName() {
    Due first = first();
    return first == null ? "" : first.name();
  }

  /** A timer that is set for that time; null if there is none. */
  GroupTimer find(String name, long dueMs, long nowMs) {
    byte[] at = changes.get(NAME + name);
    if (at == null || slot(ByteBuffer.wrap(at).getInt()).dueMs() != dueMs || dueMs > nowMs) {
      return null;
    }
    Buffer value = Buffer.buffer(changes.get(BODY + name));
    Buffer body = value.getByte(HAS_BODY_AT) == 0 ? null : value.getBuffer(BODY_AT, value.length());
    return new GroupTimer(name, body, dueMs, nowMs);
  }

  /** Sets a timer again whose handler threw. */
  void retry(GroupTimer timer) {
    Buffer value = Buffer.buffer(changes.get(BODY + timer.name()));
    int failed = value.getInt(ATTEMPTS_AT);
    changes.put(BODY + timer.name(), value.setInt(ATTEMPTS_AT, failed + 1).getBytes());
    long pauseMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS << Math.min(failed, MAX_SHIFT));
    postpone(timer, pauseMs);
  }

  /**
   * Sets a timer again, later than {@link #retry} does, whose body does not fit into the changes of
   * a message any more.
   */
  void retryLast(GroupTimer timer) {
    postpone(timer, LAST_RETRY_MS);
  }

  private void postpone(GroupTimer timer, long pauseMs) {
    int slot = ByteBuffer.wrap(changes.get(NAME + timer.name())).getInt();
    down(slot, new Due(timer.timestampMs() + pauseMs, timer.name()), count());
    changes.wake();
  }

  private void up(int from, Due due) {
    int slot = from;
    while (slot > 0 && slot((slot - 1) / 2).dueMs() > due.dueMs()) {
      place(slot, slot((slot - 1) / 2));
      slot = (slot - 1) / 2;
    }
    place(slot, due);
  }

  private void down(int from, Due due, int count) {
    int slot = from;
    for (int child = 2 * slot + 1; child < count; child = 2 * slot + 1) {
      if (child + 1 < count && slot(child + 1).dueMs() < slot(child).dueMs()) {
        child++;
      }
      if (slot(child).dueMs() >= due.dueMs()) {
        break;
      }
      place(slot, slot(child));
      slot = child;
    }
    up(slot, due);
  }

  private void place(int slot, Due due) {
    byte[] name = due.name().getBytes(StandardCharsets.UTF_8);
    changes.put(
        SLOT + slot,
        ByteBuffer.allocate(Long.BYTES + name.length).putLong(due.dueMs()).put(name).array());
    changes.put(NAME + due.name(), ByteBuffer.allocate(Integer.BYTES).putInt(slot).array());
  }

  private Due slot(int slot) {
    ByteBuffer value = ByteBuffer.wrap(changes.get(SLOT + slot));
    long dueMs = value.getLong();
    return new Due(dueMs, StandardCharsets.UTF_8.decode(value).toString());
  }

  private int count() {
    byte[] count = changes.get(COUNT);
    return count == null ? 0 : ByteBuffer.wrap(count).getInt();
  }

  private void setCount(int count) {
    if (count == 0) {
      changes.remove(COUNT);
    } else {
      changes.put(COUNT, ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }
  }
}
