package dev.weir.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What was sent to one key of a {@link Register} and what was replied, and the judge of it.
 *
 * <p>The replies give the order in which messages took effect, so none has to be searched for. A
 * read stands behind the message that it saw. The history is linearizable if no number comes twice
 * or is left out, each reply names the message before it, and nothing stands before what was
 * answered before it was first sent. Any thread.
 */
final class RegisterHistory {
  /** A message or a read that was answered. */
  private record Entry(long op, boolean isRead, long count, long before, long sentNs, long endNs) {
    /** Reads of one message are between it and the next one. */
    long place() {
      return isRead ? 2 * count + 1 : 2 * count;
    }
  }

  private final String key;
  private final List<Entry> entries = new ArrayList<>();

  RegisterHistory(String key) {
    this.key = key;
  }

  /**
   * A message was answered.
   *
   * @param op its number, of no other message of the key and not {@link Register#NONE}
   * @param sentNs when it was sent first
   */
  synchronized void wrote(long op, long count, long before, long sentNs, long endNs) {
    entries.add(new Entry(op, false, count, before, sentNs, endNs));
  }

  /**
   * A read was answered.
   *
   * @param op that of the last message it saw
   * @param sentNs when the attempt was sent that was answered
   */
  synchronized void read(long op, long count, long sentNs, long endNs) {
    entries.add(new Entry(op, true, count, op, sentNs, endNs));
  }

  synchronized int size() {
    return entries.size();
  }

  /** What is wrong, once all messages are answered; empty if the history is linearizable. */
  synchronized List<String> check() {
    List<String> wrong = new ArrayList<>();
    List<Entry> ordered = new ArrayList<>(entries);
    ordered.sort(Comparator.comparingLong(Entry::place));
    long count = 0;
    long op = Register.NONE;
    for (Entry each : ordered) {
      if (each.isRead()) {
        if (each.count() != count || each.op() != op) {
          wrong.add(each + " of " + key + " is of no message that was answered");
        }
      } else {
        if (each.count() != count + 1 || each.before() != op) {
          wrong.add(each + " of " + key + " does not follow message " + count + ", which is " + op);
        }
        count = each.count();
        op = each.op();
      }
    }
    checkTimes(ordered, wrong);
    return wrong;
  }

  private void checkTimes(List<Entry> ordered, List<String> wrong) {
    Entry first = null;
    Entry firstBehind = null;
    for (int i = ordered.size() - 1; i >= 0; i--) {
      Entry each = ordered.get(i);
      if (i + 1 < ordered.size() && ordered.get(i + 1).place() > each.place()) {
        firstBehind = first;
      }
      if (firstBehind != null && each.sentNs() - firstBehind.endNs() > 0) {
        wrong.add(
            each + " of " + key + " stands before " + firstBehind + ", which was answered before");
      }
      if (first == null || each.endNs() - first.endNs() < 0) {
        first = each;
      }
    }
  }
}
