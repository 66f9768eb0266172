package dev.weir.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The history of one key, as its clients saw it: puts of numbers, each put with another one, and
 * reads. Versions give the order in which puts took effect, so no order has to be searched for. The
 * history is linearizable if each version has one number and each number one version, if each read
 * shows a put that began before the read ended, and if nothing has a lower version than what ended
 * before it began. Any thread.
 */
final class KeyHistory {
  private static final long OPEN = Long.MAX_VALUE;

  /** The version of a read that finds nothing. */
  static final long ABSENT = 0;

  private static final long UNKNOWN = -1;

  /** A put or a read. */
  static final class Operation {
    private final boolean isPut;
    private final long startNs;
    private int number;
    private long endNs = OPEN;
    private long version = UNKNOWN;

    /** The put failed, and it is certain that nothing was changed. */
    private boolean refused;

    private Operation(boolean isPut, int number, long startNs) {
      this.isPut = isPut;
      this.number = number;
      this.startNs = startNs;
    }

    @Override
    public String toString() {
      return (isPut ? "put " : "read ")
          + number
          + " version "
          + version
          + " from "
          + startNs
          + (endNs == OPEN ? ", open" : " to " + endNs)
          + (refused ? ", refused" : "");
    }
  }

  private final List<Operation> operations = new ArrayList<>();

  /** A put begins; its number is no other put's. */
  synchronized Operation put(int number, long nowNs) {
    return add(new Operation(true, number, nowNs));
  }

  /** A read begins. */
  synchronized Operation read(long nowNs) {
    return add(new Operation(false, 0, nowNs));
  }

  private Operation add(Operation operation) {
    operations.add(operation);
    return operation;
  }

  /** An operation is answered. */
  synchronized void answered(Operation operation, int number, long version, long nowNs) {
    if (operation.isPut && operation.number != number) {
      throw new IllegalArgumentException(operation + " is answered with " + number);
    }
    operation.number = number;
    operation.version = version;
    operation.endNs = nowNs;
  }

  /** A put failed, and has certainly changed nothing. */
  synchronized void refused(Operation operation) {
    operation.refused = true;
  }

  synchronized int answers() {
    return (int) operations.stream().filter(each -> each.endNs != OPEN).count();
  }

  /** What is wrong with the history; empty if it is linearizable. */
  synchronized List<String> problems() {
    List<String> problems = new ArrayList<>();
    Map<Integer, Operation> puts = new HashMap<>();
    operations.stream().filter(each -> each.isPut).forEach(put -> puts.put(put.number, put));
    for (Operation read : operations) {
      if (!read.isPut && read.version > ABSENT) {
        learn(read, puts.get(read.number), problems);
      }
    }
    Map<Long, Integer> numbers = new TreeMap<>();
    for (Operation each : operations) {
      Integer other = each.version > ABSENT ? numbers.put(each.version, each.number) : null;
      if (other != null && other != each.number) {
        problems.add(each + ": this version has " + other + " too");
      }
    }
    checkOrder(problems);
    return problems;
  }

  /** A put without an answer has the version that was read of it. */
  private static void learn(Operation read, Operation put, List<String> problems) {
    if (put == null || put.startNs > read.endNs) {
      problems.add(read + ": nobody had put that");
    } else if (put.refused) {
      problems.add(read + ": " + put + " had changed nothing");
    } else if (put.version == UNKNOWN) {
      put.version = read.version;
    } else if (put.version != read.version) {
      problems.add(read + ": " + put + " took effect twice");
    }
  }

  private void checkOrder(List<String> problems) {
    List<Operation> byStart =
        operations.stream()
            .filter(each -> each.version != UNKNOWN)
            .sorted(Comparator.comparingLong(each -> each.startNs))
            .toList();
    List<Operation> byEnd =
        byStart.stream().sorted(Comparator.comparingLong(each -> each.endNs)).toList();
    Operation last = null;
    int ended = 0;
    for (Operation each : byStart) {
      for (; byEnd.get(ended).endNs < each.startNs; ended++) {
        Operation before = byEnd.get(ended);
        last = last == null || before.version > last.version ? before : last;
      }
      if (last != null && each.version < last.version + (each.isPut ? 1 : 0)) {
        problems.add(each + ": after " + last);
      }
    }
  }
}
