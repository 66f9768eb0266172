package dev.weir.flow.remote;

import dev.weir.flow.RemoteConsumerStats;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A consumer as the owner of its service knows it. Any thread may read the {@link #stats}. */
final class KnownConsumer {
  /** Renewals in turn that do not name a message, after which it is lost. */
  private static final int MISSES = 3;

  final String address;
  private volatile Protocol.Renewal renewal;

  /** Until when it is there without a renewal, by {@link System#nanoTime}. */
  long deadlineNs;

  /** The messages it has, by number. */
  private final Map<Long, OutMessage> out = new TreeMap<>();

  /**
   * The numbers of messages that it has and that are not its own any more: it was cut off, and they
   * have gone to another consumer. They use up credits of it all the same.
   */
  private final Set<Long> strangers = new HashSet<>();

  /** Gets nothing before its next renewal: it could not be reached, or gave a message back. */
  private boolean blocked;

  private volatile int outNow;
  private volatile long answered;

  KnownConsumer(Protocol.Renewal first, long nowNs) {
    this.address = first.consumer();
    renew(first, nowNs);
  }

  /**
   * Takes over what the consumer says.
   *
   * @return messages that did not reach it, or whose answer was lost
   */
  List<OutMessage> renew(Protocol.Renewal said, long nowNs) {
    renewal = said;
    deadlineNs = nowNs + said.leaseMs() * 1_000_000;
    blocked = false;
    strangers.clear();
    said.held().stream().filter(number -> !out.containsKey(number)).forEach(strangers::add);
    out.values().stream()
        .filter(message -> message.number <= said.upTo())
        .forEach(
            message ->
                message.missed = said.held().contains(message.number) ? 0 : message.missed + 1);
    List<OutMessage> lost =
        out.values().stream().filter(message -> message.missed >= MISSES).toList();
    lost.forEach(message -> take(message.number));
    return lost;
  }

  /** Whether it has missed two renewals or more. */
  boolean isSilent(long nowNs) {
    return deadlineNs - nowNs < leaseNs() / 2;
  }

  String name() {
    return renewal.name() == null ? address : renewal.name();
  }

  long leaseNs() {
    return renewal.leaseMs() * 1_000_000;
  }

  /** How many messages it may have at once now. */
  int limit() {
    return blocked
        ? Math.min(out.size(), renewal.credits())
        : Math.max(0, renewal.credits() - strangers.size());
  }

  /** Whether it can have another message; a suspect is alone at its consumer. */
  boolean isFree(boolean forSuspect) {
    return out.size() < limit() && (forSuspect ? out.isEmpty() : !hasSuspect());
  }

  private boolean hasSuspect() {
    return out.size() == 1 && out.values().iterator().next().isSuspect();
  }

  void give(OutMessage message, long number) {
    message.at = this;
    message.number = number;
    message.missed = 0;
    message.sendings++;
    out.put(number, message);
    outNow = out.size();
  }

  /** Ends a sending; null if it has ended already. */
  OutMessage take(long number) {
    strangers.remove(number);
    OutMessage message = out.remove(number);
    outNow = out.size();
    if (message != null) {
      message.at = null;
    }
    return message;
  }

  boolean isBlocked() {
    return blocked;
  }

  void block() {
    blocked = true;
  }

  void countAnswer() {
    answered++;
  }

  /** All it has, which it then has not. */
  Collection<OutMessage> takeAll() {
    List<OutMessage> all = List.copyOf(out.values());
    all.forEach(message -> take(message.number));
    return all;
  }

  RemoteConsumerStats stats() {
    return new RemoteConsumerStats(name(), renewal.credits(), outNow, answered);
  }
}
