package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.BUSY;

import dev.weir.options.HeapExhaustion;
import dev.weir.queue.store.UninterruptibleThread;
import dev.weir.state.DocumentException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that runs queries and reads kept versions and changes, a step of each in turn, so that
 * a long one stops no short one.
 */
final class QueryThread {
  private static final Logger LOG = LoggerFactory.getLogger(QueryThread.class);
  private static final int MAX_WAITING = 1_000;
  private static final long REST_NS = TimeUnit.HOURS.toNanos(1);

  private final Search.Memory memory;
  private final Inbox<Reading> inbox = new Inbox<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final ArrayDeque<Reading> running = new ArrayDeque<>();
  private final UninterruptibleThread thread =
      new UninterruptibleThread(this::loop, "weir-documents-query");

  QueryThread(Search.Memory memory) {
    this.memory = memory;
    thread.start();
  }

  /** Runs a reading, or tells it why not. */
  void add(Reading reading) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      reading.fail(new DocumentException(BUSY, "more than " + MAX_WAITING + " queries wait"));
    } else if (!inbox.add(reading)) {
      reading.fail(Engine.closed());
    }
  }

  /** Refuses what waits, then ends. */
  void close() {
    inbox.close();
    thread.awaitEnd();
  }

  private void loop() {
    while (!inbox.isClosed()) {
      running.addAll(inbox.take(running.isEmpty() ? REST_NS : 0));
      Reading next = running.poll();
      if (next != null && run(next)) {
        running.add(next);
      } else if (next != null) {
        waiting.decrementAndGet();
      }
    }
    running.addAll(inbox.take(0));
    running.forEach(reading -> fail(reading, Engine.closed()));
  }

  private boolean run(Reading reading) {
    try {
      return reading.run(memory);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.debug("a query failed", e);
      fail(reading, e);
      return false;
    }
  }

  private static void fail(Reading reading, Throwable failure) {
    try {
      reading.fail(failure);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("the caller of a query cannot be told of its failure", e);
    }
  }
}
