package dev.weir.flow.impl;

import dev.weir.flow.BatchHandler;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers the messages that are started in one turn of an event loop, and hands them over at its
 * end. While all workers are busy with a batch the next messages wait in the pool, and are started
 * in one turn when it ends: so batches grow under load, and no message waits for others at rest.
 */
public final class Batching<T> implements ServiceHandler<T> {
  private final Vertx vertx;
  private final int maxMessages;
  private final BatchHandler<T> handler;
  private List<ServiceMessage<T>> messages = new ArrayList<>();
  private List<Promise<Object>> results = new ArrayList<>();

  public Batching(Vertx vertx, int maxMessages, BatchHandler<T> handler) {
    this.vertx = vertx;
    this.maxMessages = maxMessages;
    this.handler = handler;
  }

  @Override
  public Future<?> handle(ServiceMessage<T> message) {
    Promise<Object> result = Promise.promise();
    messages.add(message);
    results.add(result);
    if (messages.size() == maxMessages) {
      handOver();
    } else if (messages.size() == 1) {
      vertx.runOnContext(ignored -> handOver());
    }
    return result.future();
  }

  /** Does nothing if a full batch was handed over before the end of the turn. */
  private void handOver() {
    if (messages.isEmpty()) {
      return;
    }
    List<ServiceMessage<T>> batch = List.copyOf(messages);
    List<Promise<Object>> waiting = results;
    messages = new ArrayList<>();
    results = new ArrayList<>();
    Future<? extends List<?>> handled;
    try {
      handled = handler.handle(batch);
      if (handled == null) {
        handled = Future.failedFuture(new NullPointerException("the handler returned no future"));
      }
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      handled = Future.failedFuture(e);
    }
    // In one turn of the event loop, so that the messages that are started then are one batch.
    Context context = Contexts.current();
    handled.onComplete(
        (replies, failure) -> Contexts.execute(context, () -> settle(waiting, replies, failure)));
  }

  private static void settle(List<Promise<Object>> waiting, List<?> replies, Throwable failure) {
    Throwable all = failure;
    Object[] each = new Object[waiting.size()];
    if (all == null && replies != null) {
      try {
        each = replies.toArray();
      } catch (Throwable e) {
        // The list is the user's.
        HeapExhaustion.report(e);
        all = e;
      }
    }
    if (all == null && each.length != waiting.size()) {
      all =
          new IllegalStateException(
              "the handler gave " + each.length + " replies to " + waiting.size() + " messages");
    }
    for (int i = 0; i < waiting.size(); i++) {
      Object reply = all != null ? all : each[i];
      if (reply instanceof Throwable failed) {
        waiting.get(i).fail(failed);
      } else {
        waiting.get(i).complete(reply);
      }
    }
  }
}
