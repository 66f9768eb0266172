package dev.weir.queue.segment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The segments of a store by number, and the numbers of new ones. Guarded by its Segments. */
final class SegmentTable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentTable.class);

  private final TreeMap<Integer, Segment> segments = new TreeMap<>();

  /** Segments that are referred to and are not there. */
  private final Set<Integer> missing = new HashSet<>();

  private int lastNumber;

  /** Null if it is not there. */
  Segment get(int number) {
    return segments.get(number);
  }

  Collection<Segment> all() {
    return segments.values();
  }

  Collection<Segment> newestFirst() {
    return segments.descendingMap().values();
  }

  Map<Integer, Segment> copy() {
    return new TreeMap<>(segments);
  }

  /** Forgets all; numbers that are referred to are not used again. */
  void clear(Set<Integer> referredTo) {
    segments.clear();
    missing.clear();
    lastNumber = referredTo.stream().max(Integer::compare).orElse(0);
  }

  /** Notes that a file has this number. */
  void saw(int number) {
    lastNumber = Math.max(lastNumber, number);
  }

  Segment add(int number, long size, long live) {
    Segment segment = new Segment(number);
    segment.size = size;
    segment.keeps = true;
    segment.live = live;
    segments.put(number, segment);
    return segment;
  }

  void add(Segment segment) {
    segments.put(segment.number, segment);
  }

  void remove(int number) {
    segments.remove(number);
  }

  /** Logs which segments are referred to and are not there. */
  void nameMissing(Set<Integer> referredTo) {
    missing.addAll(referredTo);
    missing.removeAll(segments.keySet());
    missing.forEach(number -> LOG.error("the file {} is missing", SegmentDirectory.name(number)));
  }

  /**
   * A new segment, which is not added yet. Its number is not used again even if its file cannot be
   * made: a file that cannot be deleted may have this name.
   *
   * @param isUsed whether a file has a number that is in no segment
   */
  Segment next(IntPredicate isUsed) {
    do {
      lastNumber = lastNumber == Segments.MAX_NUMBER ? 1 : lastNumber + 1;
    } while (segments.containsKey(lastNumber)
        || missing.contains(lastNumber)
        || isUsed.test(lastNumber));
    return new Segment(lastNumber);
  }

  /** Takes the segments that nothing refers to, and that are not taken yet. */
  List<Segment> takeUnused() {
    List<Segment> taken = new ArrayList<>();
    for (Segment segment : segments.values()) {
      if (segment.live == 0 && !segment.isHead && !segment.leaving) {
        segment.leaving = true;
        taken.add(segment);
      }
    }
    return taken;
  }
}
