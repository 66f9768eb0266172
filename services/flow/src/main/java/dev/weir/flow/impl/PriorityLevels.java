package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.pool.SharedWorkers;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.function.Consumer;

/**
 * The services that one service consists of, one for each priority. They share their workers and
 * their event loop, and the highest one starts its messages first. Each has its own memory tier and
 * its own queue.
 */
final class PriorityLevels {
  /** The lowest priority first. */
  private final List<ManagedService> levels;

  private boolean pumping;

  /** Whether something has changed since the highest priority was looked at. */
  private boolean changed;

  private PriorityLevels(List<ManagedService> levels) {
    this.levels = levels;
  }

  /**
   * Joins services that nobody knows yet.
   *
   * @param levels the lowest priority first; at least two
   */
  static void join(List<ManagedService> levels, int workers) {
    PriorityLevels all = new PriorityLevels(levels);
    SharedWorkers shared = new SharedWorkers(workers);
    levels.forEach(level -> level.join(all, shared));
  }

  /** The address of the service of a priority. */
  static String address(String address, int priority) {
    return priority == 0 ? address : Service.priority(address, priority);
  }

  boolean isLowest(ManagedService level) {
    return levels.get(0) == level;
  }

  /**
   * The service that a message goes to.
   *
   * @param headers null for none
   * @throws IllegalArgumentException naming the header with a bad value
   */
  ManagedService of(MultiMap headers) {
    String text = headers == null ? null : headers.get(ServiceMessage.PRIORITY);
    if (text == null) {
      return levels.get(0);
    }
    // There are fewer than ten levels.
    int priority = text.length() == 1 ? Character.digit(text.charAt(0), 10) : -1;
    if (priority < 0 || priority >= levels.size()) {
      throw new IllegalArgumentException(
          ServiceMessage.PRIORITY + " is " + text + ", allowed is 0 to " + (levels.size() - 1));
    }
    return levels.get(priority);
  }

  /** Hands a message from the bus to the service of its priority; on the event loop. */
  void route(Message<Object> message) {
    ManagedService level;
    try {
      level = of(message.headers());
    } catch (IllegalArgumentException e) {
      Manager lowest = levels.get(0).manager();
      lowest.reject(message, FlowFailure.BAD_REQUEST, e.getMessage());
      lowest.counters.publish();
      return;
    }
    level.manager().onMessage(message);
  }

  /**
   * Starts what waits while workers are free, the highest priority first; on the event loop. It is
   * called again by each message whose handler is done at once, and must not start a lower one
   * then.
   */
  void pump() {
    changed = true;
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (changed) {
        changed = false;
        if (!pumpEach()) {
          return;
        }
      }
    } finally {
      pumping = false;
    }
  }

  /** Returns false if it goes on in the next task. */
  private boolean pumpEach() {
    for (int i = levels.size() - 1; i >= 0; i--) {
      if (!levels.get(i).manager().pump()) {
        return false;
      }
    }
    return true;
  }

  /** The highest priority first, so that it starts first again; on the event loop. */
  void each(Consumer<Manager> change) {
    for (int i = levels.size() - 1; i >= 0; i--) {
      change.accept(levels.get(i).manager());
    }
  }

  /** Closes all but the lowest one, which is the service that users have. */
  Future<?> closeOthers(long drainTimeoutMs) {
    return Future.join(levels.stream().skip(1).map(level -> level.close(drainTimeoutMs)).toList());
  }
}
