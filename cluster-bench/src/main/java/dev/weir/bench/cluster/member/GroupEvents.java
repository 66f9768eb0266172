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
 * What members say of their roles in a group, and what was done to them, with the time. Any thread.
 */
public final class GroupEvents implements MemberEvents {
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

  /** Something that happened, for people. */
  public record Event(long timeNs, String text) {}

  /** Who is primary. */
  public record Primary(String member, long epoch) {}

  /**
   * Of the group of that name.
   *
   * @param members of the group
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

  @Override
  public synchronized void onLine(String member, String line) {
    Matcher role = rolePattern.matcher(line);
    Matcher sync = inSyncPattern.matcher(line);
    if (role.matches()) {
      long itsEpoch = Long.parseLong(role.group(2));
      add(member + " " + role.group(1) + " " + itsEpoch);
      if (role.group(1).equals(PRIMARY)) {
        lead(member, itsEpoch);
      }
    } else if (sync.matches() && member.equals(primary) && Long.parseLong(sync.group(2)) == epoch) {
      inSync = Set.of(sync.group(1).split(" ")).size();
      add("in sync: " + sync.group(1));
    }
    notifyAll();
  }

  /** Epochs go up, and each has one primary, which becomes it once. */
  private void lead(String member, long itsEpoch) {
    if (itsEpoch <= epoch) {
      stale++;
      return;
    }
    primary = member;
    epoch = itsEpoch;
    inSync = 1;
  }

  @Override
  public synchronized void onEnd(String member, String how) {
    add("end " + member);
    failure = "member " + member + " has ended: " + how;
    notifyAll();
  }

  @Override
  public synchronized void add(String text) {
    events.add(new Event(System.nanoTime(), text));
  }

  public synchronized List<Event> all() {
    return List.copyOf(events);
  }

  /** How often a member said it is primary of an epoch that was over, or had a primary before. */
  public synchronized int stale() {
    return stale;
  }

  public synchronized long epoch() {
    return epoch;
  }

  /**
   * Waits for a primary of a later epoch.
   *
   * @throws IOException if that takes too long, or a member has ended by itself
   */
  public synchronized Primary awaitPrimaryAfter(long oldEpoch, Duration timeout)
      throws IOException, InterruptedException {
    await("a primary after epoch " + oldEpoch, timeout, () -> epoch > oldEpoch);
    return new Primary(primary, epoch);
  }

  /**
   * Waits until all members are in sync.
   *
   * @return who is primary
   * @throws IOException if that takes too long, or a member has ended by itself
   */
  public synchronized Primary awaitInSync(Duration timeout)
      throws IOException, InterruptedException {
    await("all members in sync", timeout, () -> inSync == members);
    return new Primary(primary, epoch);
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
