package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Checks what the children of {@link CrashTest} print, line by line. A child with one worker starts
 * messages in the order they were sent, so that what was started of each child's messages must at
 * any time be the first so many of them, without a gap.
 */
final class CrashLog {
  /** A child's numbers start at its round times this. */
  static final long ROUND = 1_000_000;

  /** An acknowledgement is on disk after so much work of the child, however slow the disk is. */
  static final long FLUSHED_MS = 3_000;

  /** Of a silence so much counts as work at most: the machine may have stood still. */
  private static final long MOST_SILENCE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private record Start(int round, long atNs) {}

  private final String seed;
  private final Map<Long, Long> startedOf = new HashMap<>();
  private final Map<Long, Long> acceptedOf = new HashMap<>();

  /** The last start of those messages that may still come again. */
  private final Map<Long, Start> mayReturn = new HashMap<>();

  /** How long the child of a round had worked when it was killed. */
  private final Map<Integer, Long> killedAtNs = new HashMap<>();

  private final Set<Long> startedNow = new HashSet<>();
  private int round;

  /** How long the present child has worked, and the time of its last line. */
  private long activeNs;

  private long saidNs;

  private long lastStarted;
  private long highest = -1;
  private long recovered;

  private long accepted;
  private long started;
  private long repeated;
  private long countedRepeats;
  private long maxRepeatAgeNs;
  private long maxRecovered;

  CrashLog(String seed) {
    this.seed = seed;
  }

  /** A child is started. */
  void begin(int round) {
    this.round = round;
    lastStarted = -1;
    recovered = -1;
    startedNow.clear();
    activeNs = 0;
    saidNs = 0;
  }

  /** It printed a line. */
  void line(String line, long nowNs) {
    passTo(nowNs);
    String[] words = line.split(" ");
    switch (words[0]) {
      case "A" -> accept(Long.parseLong(words[1]));
      case "H" -> start(Long.parseLong(words[1]), Integer.parseInt(words[2]));
      case "R" -> recovered = Long.parseLong(words[1]);
      default -> throw new AssertionError(where() + line);
    }
  }

  private void passTo(long nowNs) {
    if (saidNs != 0) {
      activeNs += Math.min(MOST_SILENCE_NS, Math.max(0, nowNs - saidNs));
    }
    saidNs = nowNs;
  }

  private String where() {
    return "seed " + seed + ", round " + round + ": ";
  }

  private void accept(long number) {
    assertThat(number / ROUND).as(where() + "origin of " + number).isEqualTo(round);
    acceptedOf.merge(number / ROUND, number % ROUND, Math::max);
    accepted++;
  }

  private void start(long number, int deliveryCount) {
    assertThat(number).as(where() + "started after " + lastStarted).isGreaterThan(lastStarted);
    lastStarted = number;
    started++;
    if (number > highest) {
      firstTime(number);
    } else {
      again(number, deliveryCount);
    }
    startedNow.add(number);
    mayReturn.put(number, new Start(round, activeNs));
  }

  private void firstTime(long number) {
    boolean same = number / ROUND == highest / ROUND && highest >= 0;
    assertThat(number % ROUND)
        .as(where() + "%d is started for the first time, after %d", number, highest)
        .isEqualTo(same ? highest % ROUND + 1 : 0);
    highest = number;
    startedOf.put(number / ROUND, number % ROUND);
  }

  private void again(long number, int deliveryCount) {
    Start before = mayReturn.get(number);
    assertThat(before)
        .as(where() + "%d comes again, though a child has passed it over", number)
        .isNotNull();
    Long killed = killedAtNs.get(before.round);
    assertThat(killed)
        .as(where() + "%d comes again after the clean end of %d", number, before.round)
        .isNotNull();
    long ageNs = killed - before.atNs;
    assertThat(ageNs)
        .as(where() + "%d comes again, handled in %d long before the kill", number, before.round)
        .isLessThan(TimeUnit.MILLISECONDS.toNanos(FLUSHED_MS));
    maxRepeatAgeNs = Math.max(maxRepeatAgeNs, ageNs);
    repeated++;
    countedRepeats += deliveryCount > 1 ? 1 : 0;
  }

  /** The child was killed. */
  void killed(long atNs) {
    passTo(atNs);
    killedAtNs.put(round, activeNs);
    end();
  }

  /** The child ended by itself, with nothing left. */
  void ended() {
    assertThat(startedNow).as(where() + "what was recovered is started").hasSize((int) recovered);
    end();
    acceptedOf.forEach(
        (origin, last) ->
            assertThat(startedOf.getOrDefault(origin, -1L))
                .as(where() + "last started of round %d, whose last accepted is %d", origin, last)
                .isGreaterThanOrEqualTo(last));
  }

  private void end() {
    maxRecovered = Math.max(maxRecovered, recovered);
    mayReturn.keySet().removeIf(number -> number < lastStarted && !startedNow.contains(number));
  }

  long started() {
    return started;
  }

  long accepted() {
    return accepted;
  }

  @Override
  public String toString() {
    return accepted
        + " accepted, "
        + started
        + " started, "
        + repeated
        + " of them again ("
        + countedRepeats
        + " with a delivery count over 1, at most "
        + TimeUnit.NANOSECONDS.toMillis(maxRepeatAgeNs)
        + " ms before the kill), at most "
        + maxRecovered
        + " recovered at once";
  }
}
