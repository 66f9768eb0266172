package dev.weir.queue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks what the processes of {@link CrashModelTest} say, line by line. */
final class CrashModel {
  /** Of a silence so much counts as work at most: the machine may have stood still. */
  private static final long MOST_SILENCE_MS = 50;

  private final Map<CrashQueue, ModelQueue> queues = new EnumMap<>(CrashQueue.class);

  /** What is wrong, with the line that showed it. */
  final List<String> wrong = new ArrayList<>();

  /** As it was when each backup began, by its number. */
  private final Map<Long, CrashModel> backups = new TreeMap<>();

  private final Map<Long, CrashModel> unfinished = new TreeMap<>();
  final Map<Character, Long> counts = new TreeMap<>();
  private String line = "";

  /** How long the process has worked, ms. */
  private long activeMs;

  /** The time of its last line, ms since it began. */
  private long saidMs;

  CrashModel() {
    for (CrashQueue queue : CrashQueue.values()) {
      queues.put(queue, new ModelQueue(queue, this::wrong));
    }
  }

  /** The same, killed at this moment. */
  private CrashModel(CrashModel other) {
    other.queues.forEach(
        (queue, its) -> queues.put(queue, new ModelQueue(its, this::wrong, other.activeMs)));
  }

  private void wrong(String what) {
    wrong.add(what + " [" + line + "]");
  }

  /** The process is gone. */
  void killed() {
    queues.values().forEach(queue -> queue.restart(activeMs));
    unfinished.clear();
    activeMs = 0;
    saidMs = 0;
  }

  /** The finished backups since the last call. */
  Map<Long, CrashModel> takeBackups() {
    Map<Long, CrashModel> taken = Map.copyOf(backups);
    backups.clear();
    return taken;
  }

  /** All that can come has come. */
  void drained() {
    line = "drained";
    queues.values().forEach(ModelQueue::drained);
  }

  /**
   * @param said see {@link CrashModelChild}
   */
  void take(String said) {
    line = said;
    if (!said.endsWith(CrashModelChild.END)) {
      // The kill cut it off.
      return;
    }
    String[] words = said.split(" ");
    char what = said.charAt(0);
    counts.merge(what, 1L, Long::sum);
    if (what != 'M' && what != 'X') {
      passTo(Long.parseLong(words[1]));
    }
    switch (what) {
      case 'M', 'c' -> {}
      case 'b' -> unfinished.put(Long.parseLong(words[2]), new CrashModel(this));
      case 'B' ->
          backups.put(Long.parseLong(words[2]), unfinished.remove(Long.parseLong(words[2])));
      case 'C' -> queues.values().forEach(ModelQueue::closed);
      case 'X' -> wrong("the process says");
      default -> take(what, queues.get(CrashQueue.valueOf(words[2])), words);
    }
  }

  /** A line was said at this time, ms since the process began. */
  private void passTo(long ms) {
    activeMs += Math.min(MOST_SILENCE_MS, Math.max(0, ms - saidMs));
    saidMs = Math.max(saidMs, ms);
  }

  private void take(char what, ModelQueue queue, String[] words) {
    long number = words.length > 4 ? Long.parseLong(words[3]) : 0;
    switch (what) {
      case 'a' -> queue.append(number, words[4], Long.parseLong(words[5]), words[6].equals("1"));
      case 'A' -> queue.appended(number);
      case 'D' ->
          queue.delivered(
              number,
              words[4],
              Long.parseLong(words[5]),
              Integer.parseInt(words[6]),
              Integer.parseInt(words[7]));
      case 'k' -> queue.acknowledging(number);
      case 'K' -> queue.acknowledged(number, activeMs);
      case 'f' -> queue.failing(number, true);
      case 'j' -> queue.failing(number, false);
      case 'F', 'J' -> queue.failed(number, activeMs);
      case 'p' -> queue.purging();
      case 'P' -> queue.purged(number);
      case 'L' -> queue.listed(numbers(words));
      case 'r' -> queue.requeuing(number);
      case 'R' -> queue.requeued(number, Long.parseLong(words[4]));
      case 'u' -> queue.removing(number);
      case 'U' -> queue.removed(number, Long.parseLong(words[4]));
      default -> throw new IllegalArgumentException("line " + String.join(" ", words));
    }
  }

  private static List<Long> numbers(String[] words) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 3; i < words.length - 1; i++) {
      numbers.add(Long.parseLong(words[i]));
    }
    return numbers;
  }
}
