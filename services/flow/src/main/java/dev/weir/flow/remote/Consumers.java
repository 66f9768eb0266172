package dev.weir.flow.remote;

import dev.weir.flow.RemoteConsumerStats;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The decisions of an owner: which message goes to which consumer. Knows neither the bus nor
 * clocks; used on the event loop of the service, but for the figures.
 *
 * <p>Messages go out in the order in which they were started, those that come back before the
 * others; to the consumers with free credits in turn.
 */
final class Consumers {
  private final List<KnownConsumer> known = new CopyOnWriteArrayList<>();
  private final Map<String, KnownConsumer> byAddress = new HashMap<>();

  /** Those that have no consumer, by their order. */
  private final TreeMap<Long, OutMessage> waiting = new TreeMap<>();

  private long lastNumber;

  /** Of the consumer that is asked first. */
  private int turn;

  /** Null if it is not known. */
  KnownConsumer find(String address) {
    return byAddress.get(address);
  }

  KnownConsumer join(Protocol.Renewal said, long nowNs) {
    KnownConsumer consumer = new KnownConsumer(said, nowNs);
    byAddress.put(consumer.address, consumer);
    known.add(consumer);
    return consumer;
  }

  /** The messages it had, which wait for nobody yet. */
  Collection<OutMessage> leave(KnownConsumer consumer) {
    known.remove(consumer);
    byAddress.remove(consumer.address);
    return consumer.takeAll();
  }

  /** Puts a message in its place among those that wait. */
  void await(OutMessage message) {
    waiting.put(message.order, message);
  }

  /** Gives the first message that waits to a consumer; null if none waits or no credit is free. */
  OutMessage assign() {
    if (waiting.isEmpty()) {
      return null;
    }
    OutMessage message = waiting.firstEntry().getValue();
    KnownConsumer free = nextFree(message.isSuspect());
    if (free == null) {
      return null;
    }
    waiting.pollFirstEntry();
    free.give(message, ++lastNumber);
    return message;
  }

  private KnownConsumer nextFree(boolean forSuspect) {
    int count = known.size();
    for (int i = 0; i < count; i++) {
      turn = (turn + 1) % count;
      if (known.get(turn).isFree(forSuspect)) {
        return known.get(turn);
      }
    }
    return null;
  }

  /** The number that was used last; each is used once. */
  long lastNumber() {
    return lastNumber;
  }

  /** How many messages all of them may have at once. */
  int limit() {
    long sum = 0;
    for (KnownConsumer consumer : known) {
      sum += consumer.limit();
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  /** Any thread. */
  List<RemoteConsumerStats> stats() {
    return known.stream().map(KnownConsumer::stats).toList();
  }
}
