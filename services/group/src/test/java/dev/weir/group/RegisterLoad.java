package dev.weir.group;

import dev.weir.flow.ServiceMessage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Several senders and a reader for each key of a {@link Register}, each one request after another.
 * A message is sent again under its id until it is answered; a read is made anew.
 */
final class RegisterLoad {
  private static final long RETRY_MS = 20;
  private static final long PAUSE_MS = 25;

  private final Vertx vertx;
  private final String address;
  private final List<RegisterHistory> histories;
  private final AtomicLong ops = new AtomicLong(Register.NONE);
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final List<Future<Void>> ends = new ArrayList<>();
  private volatile boolean stopped;

  private RegisterLoad(Vertx vertx, String address, int keys) {
    this.vertx = vertx;
    this.address = address;
    this.histories =
        IntStream.range(0, keys).mapToObj(key -> new RegisterHistory("key " + key)).toList();
  }

  /** Begins to send from a node. */
  static RegisterLoad start(Vertx vertx, String address, int keys, int senders) {
    RegisterLoad load = new RegisterLoad(vertx, address, keys);
    for (int key = 0; key < keys; key++) {
      int its = key;
      load.repeat(() -> load.read(its));
      for (int sender = 0; sender < senders; sender++) {
        load.repeat(() -> load.write(its));
      }
    }
    return load;
  }

  private void repeat(Supplier<Future<Void>> request) {
    Promise<Void> end = Promise.promise();
    ends.add(end.future());
    repeat(request, end);
  }

  private void repeat(Supplier<Future<Void>> request, Promise<Void> end) {
    if (stopped) {
      end.complete();
      return;
    }
    request
        .get()
        .onSuccess(
            done -> {
              answered.incrementAndGet();
              vertx.setTimer(PAUSE_MS, later -> repeat(request, end));
            });
  }

  private Future<Void> write(int key) {
    long op = ops.incrementAndGet();
    long sentNs = System.nanoTime();
    return attempt(key, op)
        .map(
            reply -> {
              histories
                  .get(key)
                  .wrote(
                      op,
                      reply.getLong(Register.COUNT),
                      reply.getLong(Register.BEFORE),
                      sentNs,
                      System.nanoTime());
              return null;
            });
  }

  private Future<JsonObject> attempt(int key, long op) {
    return request(
            new JsonObject().put(Register.OP, op),
            CountingLoad.options(key).addHeader(ServiceMessage.MESSAGE_ID, "op " + op))
        .recover(failure -> again().compose(again -> attempt(key, op)));
  }

  private Future<Void> read(int key) {
    long sentNs = System.nanoTime();
    return request(new JsonObject(), CountingLoad.options(key).addHeader(GroupMessage.READ, "0"))
        .<Void>map(
            reply -> {
              histories
                  .get(key)
                  .read(
                      reply.getLong(Register.BEFORE),
                      reply.getLong(Register.COUNT),
                      sentNs,
                      System.nanoTime());
              return null;
            })
        .recover(failure -> again().compose(again -> read(key)));
  }

  private Future<Long> again() {
    failed.incrementAndGet();
    return vertx.timer(RETRY_MS).map(RETRY_MS);
  }

  private Future<JsonObject> request(JsonObject body, DeliveryOptions options) {
    return vertx.eventBus().<JsonObject>request(address, body, options).map(reply -> reply.body());
  }

  /** Answered requests. */
  long answered() {
    return answered.get();
  }

  /** Attempts that were not answered, or refused. */
  long failed() {
    return failed.get();
  }

  /** Sends no more; completes when all is answered. */
  Future<Void> stop() {
    stopped = true;
    return Future.all(ends).mapEmpty();
  }

  /** What is wrong with the histories; empty if all are linearizable. */
  List<String> check() {
    return histories.stream().flatMap(history -> history.check().stream()).toList();
  }
}
