package dev.weir.queue.je;

import dev.weir.queue.LostPackets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sequences of one queue that may be lost; those that turn up are taken out. */
final class SequenceRanges {
  private record Range(long end, String why) {}

  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  /** Adds the sequences from {@code first} to before {@code end}, but those that are there. */
  void add(long first, long end, String why) {
    long from = first;
    while (from < end) {
      Map.Entry<Long, Range> known = ranges.floorEntry(from);
      if (known != null && known.getValue().end > from) {
        from = known.getValue().end;
      } else {
        Long next = ranges.higherKey(from);
        long to = next == null ? end : Math.min(end, next);
        put(from, to, why);
        from = to;
      }
    }
  }

  /** Adds a range of which nothing is there; the one before takes it if it goes on. */
  private void put(long first, long end, String why) {
    Map.Entry<Long, Range> before = ranges.lowerEntry(first);
    boolean goesOn = before != null && before.getValue().equals(new Range(first, why));
    ranges.put(goesOn ? before.getKey() : first, new Range(end, why));
  }

  void addAll(SequenceRanges others) {
    others.ranges.forEach((first, range) -> add(first, range.end, range.why));
  }

  void remove(long sequence) {
    remove(sequence, sequence + 1);
  }

  /** Takes out the sequences from {@code first} to before {@code end}. */
  void remove(long first, long end) {
    Map.Entry<Long, Range> before = ranges.floorEntry(first);
    long from = before == null || before.getValue().end <= first ? first : before.getKey();
    for (Map.Entry<Long, Range> each = ranges.ceilingEntry(from);
        each != null && each.getKey() < end;
        each = ranges.ceilingEntry(from)) {
      Range range = ranges.remove(each.getKey());
      if (each.getKey() < first) {
        ranges.put(each.getKey(), new Range(first, range.why));
      }
      if (range.end > end) {
        ranges.put(end, new Range(range.end, range.why));
      }
      from = each.getKey() + 1;
    }
  }

  /** What is left, as an upper limit of what is lost. */
  List<LostPackets> lost(String queue) {
    List<LostPackets> lost = new ArrayList<>();
    ranges.forEach(
        (first, range) ->
            lost.add(new LostPackets(queue, range.end - first, first, range.end - 1, range.why)));
    return lost;
  }
}
