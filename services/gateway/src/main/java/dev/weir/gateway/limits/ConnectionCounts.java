package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts connections: open ones, those of each peer, refused and closed ones. Any thread. */
public final class ConnectionCounts {
  private final int most;
  private final int mostPerPeer;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<String, Integer> perPeer = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private final Map<Slowness, LongAdder> slow = new EnumMap<>(Slowness.class);

  public ConnectionCounts(LimitOptions limits) {
    most = limits.getMaxConnections();
    mostPerPeer = limits.getMaxConnectionsPerPeer();
    for (Slowness slowness : Slowness.values()) {
      slow.put(slowness, new LongAdder());
    }
  }

  /** False if there are as many as allowed; after true {@link #leave} must follow. */
  boolean enter(String peer) {
    boolean room = add(peer);
    if (!room) {
      refused.increment();
    }
    return room;
  }

  private boolean add(String peer) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      return false;
    }
    if (mostPerPeer > 0 && perPeer.merge(peer, 1, Integer::sum) > mostPerPeer) {
      leave(peer);
      return false;
    }
    return true;
  }

  void leave(String peer) {
    if (mostPerPeer > 0) {
      perPeer.computeIfPresent(peer, (key, n) -> n == 1 ? null : n - 1);
    }
    open.decrementAndGet();
  }

  /** One is closed for it. */
  void slow(Slowness slowness) {
    slow.get(slowness).increment();
  }

  public int open() {
    return open.get();
  }

  public long refused() {
    return refused.sum();
  }

  public long slowlyUsed(Slowness slowness) {
    return slow.get(slowness).sum();
  }
}
