package dev.weir.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The history of one key, as its clients saw it: puts of numbers, each put with another one, some
 * of them with an expected version; deletions, and reads. Versions give the order in which puts and
 * deletions took effect, so no order has to be searched for. The history is linearizable if:
 *
 * <ul>
 *   <li>each version has one number and each number one version,
 *   <li>what is read or deleted was put before that ended,
 *   <li>nothing stands before what ended before it began,
 *   <li>a document that is not found was deleted, or not put yet,
 *   <li>nothing comes between a put and the version that it expected.
 * </ul>
 *
 * <p>Any thread.
 */
final class KeyHistory {
  private static final long OPEN = Long.MAX_VALUE;

  /** The version of a read or a deletion that finds nothing, and what a creation expects. */
  static final long ABSENT = 0;

  private static final long UNKNOWN = -1;
  private static final long ANY = -1;

  private enum Kind {
    PUT,
    READ,
    DELETE
  }

  /** A put, a read or a deletion. */
  static final class Operation {
    private final Kind kind;
    private final long startNs;

    /** What a put expects; {@link #ANY} if it takes any. */
    private final long expected;

    private int number;
    private long endNs = OPEN;
    private long version = UNKNOWN;

    /** The operation failed, and it is certain that nothing was changed. */
    private boolean refused;

    /** In the order of effects: twice the version, and one more behind its deletion. */
    private long place = UNKNOWN;

    private Operation(Kind kind, int number, long expected, long startNs) {
      this.kind = kind;
      this.number = number;
      this.expected = expected;
      this.startNs = startNs;
    }

    /** Whether the operation changed the document, so that no other has its place. */
    private boolean isChange() {
      return kind == Kind.PUT || kind == Kind.DELETE && version != ABSENT;
    }

    @Override
    public String toString() {
      return kind.name().toLowerCase(Locale.ROOT)
          + " "
          + number
          + " version "
          + version
          + (expected == ANY ? "" : " expected " + expected)
          + " from "
          + startNs
          + (endNs == OPEN ? ", open" : " to " + endNs)
          + (refused ? ", refused" : "");
    }
  }

  private final List<Operation> operations = new ArrayList<>();

  /** A put begins; its number is no other put's. */
  Operation put(int number, long nowNs) {
    return add(new Operation(Kind.PUT, number, ANY, nowNs));
  }

  /** The same, of a put that is refused unless the document has this version. */
  Operation put(int number, long expected, long nowNs) {
    return add(new Operation(Kind.PUT, number, expected, nowNs));
  }

  /** A read begins. */
  Operation read(long nowNs) {
    return add(new Operation(Kind.READ, 0, ANY, nowNs));
  }

  /** A deletion begins. */
  Operation delete(long nowNs) {
    return add(new Operation(Kind.DELETE, 0, ANY, nowNs));
  }

  private synchronized Operation add(Operation operation) {
    operations.add(operation);
    return operation;
  }

  /**
   * An operation is answered.
   *
   * @param number of what was put, read or deleted
   */
  synchronized void answered(Operation operation, int number, long version, long nowNs) {
    if (operation.kind == Kind.PUT && operation.number != number) {
      throw new IllegalArgumentException(operation + " is answered with " + number);
    }
    operation.number = number;
    operation.version = version;
    operation.endNs = nowNs;
  }

  /** A put or a deletion failed, and has certainly changed nothing. */
  synchronized void refused(Operation operation) {
    operation.refused = true;
  }

  synchronized int answers() {
    return (int) operations.stream().filter(each -> each.endNs != OPEN).count();
  }

  /** What is wrong with the history; empty if it is linearizable. */
  synchronized List<String> problems() {
    List<String> problems = new ArrayList<>();
    Map<Integer, Operation> puts =
        operations.stream()
            .filter(each -> each.kind == Kind.PUT)
            .collect(Collectors.toMap(put -> put.number, put -> put));
    for (Operation each : operations) {
      if (each.kind != Kind.PUT && each.version > ABSENT) {
        learn(each, puts.get(each.number), problems);
      }
    }
    Map<Long, Integer> numbers = new HashMap<>();
    NavigableMap<Long, Operation> written = new TreeMap<>();
    Map<Long, Operation> deletions = new HashMap<>();
    for (Operation each : operations) {
      if (each.version <= ABSENT) {
        continue;
      }
      Integer other = numbers.put(each.version, each.number);
      if (other != null && other != each.number) {
        problems.add(each + ": this version has " + other + " too");
      }
      each.place = 2 * each.version + (each.kind == Kind.DELETE ? 1 : 0);
      if (each.kind == Kind.PUT) {
        written.put(each.version, each);
      } else if (each.kind == Kind.DELETE) {
        deletions.put(each.version, each);
      }
    }
    for (Operation put : written.values()) {
      checkExpected(put, written.lowerEntry(put.version), deletions, problems);
    }
    checkOrder(problems);
    return problems;
  }

  /** A put without an answer has the version that was read of it. */
  private static void learn(Operation seen, Operation put, List<String> problems) {
    if (put == null || put.startNs > seen.endNs) {
      problems.add(seen + ": nobody had put that");
    } else if (put.refused) {
      problems.add(seen + ": " + put + " had changed nothing");
    } else if (put.version == UNKNOWN) {
      put.version = seen.version;
    } else if (put.version != seen.version) {
      problems.add(seen + ": " + put + " took effect twice");
    }
  }

  /**
   * @param before the put that took effect before this one; null if there is none
   */
  private void checkExpected(
      Operation put,
      Map.Entry<Long, Operation> before,
      Map<Long, Operation> deletions,
      List<String> problems) {
    if (put.expected == ANY) {
      return;
    }
    if (before != null && before.getKey() > put.expected) {
      boolean mayBeDeleted = deletions.containsKey(before.getKey()) || !openDeletions().isEmpty();
      if (put.expected != ABSENT || !mayBeDeleted) {
        problems.add(put + ": it did not expect " + before.getValue());
      }
    }
    if (deletions.containsKey(put.expected)) {
      problems.add(put + ": it did not expect " + deletions.get(put.expected));
    }
  }

  /** Deletions that may have taken effect, in the order in which they began. */
  private Deque<Operation> openDeletions() {
    return operations.stream()
        .filter(each -> each.kind == Kind.DELETE && each.version == UNKNOWN && !each.refused)
        .sorted(Comparator.comparingLong(each -> each.startNs))
        .collect(Collectors.toCollection(ArrayDeque::new));
  }

  private void checkOrder(List<String> problems) {
    List<Operation> byStart =
        operations.stream()
            .filter(each -> each.version != UNKNOWN)
            .sorted(Comparator.comparingLong(each -> each.startNs))
            .toList();
    List<Operation> byEnd =
        byStart.stream().sorted(Comparator.comparingLong(each -> each.endNs)).toList();
    NavigableMap<Long, Long> mostAfter = mostAfter(byStart);
    NavigableSet<Long> absences = new TreeSet<>(List.of(ABSENT));
    byStart.stream()
        .filter(each -> each.kind == Kind.DELETE && each.version > ABSENT)
        .forEach(each -> absences.add(each.place));
    Deque<Operation> open = openDeletions();
    Operation last = null;
    int ended = 0;
    for (Operation each : byStart) {
      for (; byEnd.get(ended).endNs < each.startNs; ended++) {
        Operation before = byEnd.get(ended);
        last = last == null || before.place > last.place ? before : last;
      }
      long least = last == null ? ABSENT : last.place;
      if (each.version == ABSENT) {
        Map.Entry<Long, Long> after = mostAfter.higherEntry(each.endNs);
        each.place = absence(each, least, after == null ? OPEN : after.getValue(), absences, open);
      }
      if (last != null && each.place < least + (each.isChange() ? 1 : 0)) {
        problems.add(each + ": after " + last);
      }
    }
  }

  /** By the start of each operation, the largest place that may stand before it and all later. */
  private static NavigableMap<Long, Long> mostAfter(List<Operation> byStart) {
    NavigableMap<Long, Long> most = new TreeMap<>();
    long least = OPEN;
    for (int i = byStart.size() - 1; i >= 0; i--) {
      Operation each = byStart.get(i);
      if (each.version != ABSENT) {
        least = Math.min(least, each.place - (each.isChange() ? 1 : 0));
      }
      most.put(each.startNs, least);
    }
    return most;
  }

  /**
   * The first place at which there was no document: behind a deletion that was answered, or else
   * behind one without an answer, each of which may have deleted one version.
   *
   * @return {@link #UNKNOWN} if there is none
   */
  private static long absence(
      Operation read, long least, long most, NavigableSet<Long> absences, Deque<Operation> open) {
    Long known = absences.ceiling(least);
    if (known != null && known <= most) {
      return known;
    }
    if (!open.isEmpty() && open.peek().startNs < read.endNs) {
      open.remove();
      absences.add(least | 1);
      return least | 1;
    }
    return UNKNOWN;
  }
}
