package dev.weir.bench.cluster.member;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The events of one group in the order of time: roles that members report, and what was done to
 * members. For any thread.
 */
public final class GroupEvents {
  private static final String PRIMARY = "primary";

  private final int members;
  private final Pattern rolePattern;
  private final Pattern inSyncPattern;
  private final List<Event> events = new ArrayList<>();
  private String primary;
  private long epoch;
  private int inSync;
  private int stale;
  private String failure;

  /** An event in words, with its time in {@link System#nanoTime}. */
  public record Event(long timeNs, String text) {}

  /** The member that is primary in an epoch. */
  public record Primary(String member, long epoch) {}

  /**
   * Events of the group with this name.
   *
   * @param members how many members the group has
   */
  public GroupEvents(int members, String group) {
    this.members = members;
    rolePattern =
        Pattern.compile(
            "\\w+ " + Pattern.quote(group) + ": (primary|backup|waiting), epoch (\\d+)");
    inSyncPattern =
        Pattern.compile(
            ".*group " + Pattern.quote(group) + ": in sync are ([\\w ]+) in epoch (\\d+)$");
  }

  /** A member has printed a line. */
  public synchronized void onLine(String member, String line) {
    Matcher role = rolePattern.matcher(line);
    Matcher sync = inSyncPattern.matcher(line);
    if (role.matches()) {
      long newEpoch = Long.parseLong(role.group(2));
      add(member + " " + role.group(1) + " " + newEpoch);
      if (role.group(1).equals(PRIMARY)) {
        lead(member, newEpoch);
      }
    } else if (sync.matches() && member.equals(primary) && Long.parseLong(sync.group(2)) == epoch) {
      inSync = Set.of(sync.group(1).split(" ")).size();
      add("in sync: " + sync.group(1));
    }
    notifyAll();
  }

  /** Takes a report of a primary: epochs must rise, and each may have one primary only. */
  private void lead(String member, long newEpoch) {
    if (newEpoch <= epoch) {
      stale++;
      return;
    }
    primary = member;
    epoch = newEpoch;
    inSync = 1;
  }

  /** A member has ended although nobody asked it to. */
  synchronized void onEnd(String member, String how) {
    add("end " + member);
    failure = "member " + member + " has ended: " + how;
    notifyAll();
  }

  /** Something was done to the members; the text says what. */
  public synchronized void add(String text) {
    events.add(new Event(System.nanoTime(), text));
  }

  public synchronized List<Event> all() {
    return List.copyOf(events);
  }

  /** Reports of a primary in an epoch that was over, or had a primary before. */
  public synchronized int stale() {
    return stale;
  }

  public synchronized long epoch() {
    return epoch;
  }

  /**
   * Waits for a primary of a later epoch.
   *
   * @throws IOException after the timeout, or if a member has ended by itself
   */
  public synchronized Primary awaitPrimaryAfter(long oldEpoch, Duration timeout)
      throws IOException, InterruptedException {
    await("a primary after epoch " + oldEpoch, timeout, () -> epoch > oldEpoch);
    return new Primary(primary, epoch);
  }

  /**
   * Waits until all members are in sync.
   *
   * @return the primary
   * @throws IOException after the timeout, or if a member has ended by itself
   */
  public synchronized Primary awaitInSync(Duration timeout)
      throws IOException, InterruptedException {
    await("all members in sync", timeout, () -> inSync == members);
    return new Primary(primary, epoch);
  }

  /**
   * Waits until the primary goes on without a member that is not in sync.
   *
   * @throws IOException after the timeout, or if a member has ended by itself
   */
  public synchronized void awaitWithout(Duration timeout) throws IOException, InterruptedException {
    await("primary that goes on alone", timeout, () -> inSync < members);
  }

  /**
   * Checks that no member has ended by itself.
   *
   * @throws IOException if one has
   */
  public synchronized void checkRunning() throws IOException {
    if (failure != null) {
      throw new IOException(failure);
    }
  }

  private void await(String what, Duration timeout, Supplier<Boolean> condition)
      throws IOException, InterruptedException {
    long endNs = System.nanoTime() + timeout.toNanos();
    while (!condition.get()) {
      if (failure != null) {
        throw new IOException("no " + what + ": " + failure);
      }
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (leftMs <= 0) {
        throw new IOException(
            "no " + what + " after " + timeout.toSeconds() + " s; last: " + last());
      }
      wait(leftMs);
    }
  }

  private String last() {
    List<String> texts = events.stream().map(Event::text).toList();
    return String.join(", ", texts.subList(Math.max(0, texts.size() - 6), texts.size()));
  }
}
