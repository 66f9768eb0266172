package dev.weir.group;

import dev.weir.flow.ServiceMessage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Requests to a {@link Counter}, for each key one after another, each again under its id until it
 * is answered. The reply to the Nth request of a key is N only if none before was lost or applied
 * twice.
 */
final class CountingLoad {
  private static final long TIMEOUT_MS = 2_000;
  private static final long RETRY_MS = 20;

  /** Before the next request of a key, so that members of one machine have time for their moves. */
  private static final long PAUSE_MS = 40;

  private final Vertx vertx;
  private final String address;
  private final AtomicLongArray counts;
  private final AtomicLong answered = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final List<Future<Void>> senders = new ArrayList<>();
  private volatile boolean stopped;

  private CountingLoad(Vertx vertx, String address, int keys) {
    this.vertx = vertx;
    this.address = address;
    this.counts = new AtomicLongArray(keys);
  }

  /** Begins to send from a node. */
  static CountingLoad start(Vertx vertx, String address, int keys) {
    CountingLoad load = new CountingLoad(vertx, address, keys);
    for (int key = 0; key < keys; key++) {
      Promise<Void> ended = Promise.promise();
      load.senders.add(ended.future());
      load.send(key, ended);
    }
    return load;
  }

  private void send(int key, Promise<Void> ended) {
    if (stopped) {
      ended.complete();
      return;
    }
    long next = counts.get(key) + 1;
    attempt(key, next)
        .onSuccess(
            count -> {
              if (count != next) {
                wrong.add("key " + key + ": request " + next + " is answered by " + count);
              }
              counts.set(key, next);
              answered.incrementAndGet();
              vertx.setTimer(PAUSE_MS, later -> send(key, ended));
            });
  }

  private Future<Long> attempt(int key, long number) {
    return vertx
        .eventBus()
        .<JsonObject>request(
            address,
            new JsonObject(),
            options(key).addHeader(ServiceMessage.MESSAGE_ID, "key " + key + " " + number))
        .map(reply -> reply.body().getLong("count"))
        .recover(failure -> vertx.timer(RETRY_MS).compose(again -> attempt(key, number)));
  }

  /** Of a request with a key. */
  static DeliveryOptions options(int key) {
    return new DeliveryOptions()
        .setSendTimeout(TIMEOUT_MS)
        .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS)
        .addHeader(Groups.KEY, "key " + key);
  }

  /** Answered requests. */
  long answered() {
    return answered.get();
  }

  /** Answered requests of the key that has the fewest. */
  long fewest() {
    long fewest = Long.MAX_VALUE;
    for (int key = 0; key < counts.length(); key++) {
      fewest = Math.min(fewest, counts.get(key));
    }
    return fewest;
  }

  /** What was answered wrong. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Sends no more; completes when all is answered, and each key read back as it was counted. */
  Future<Void> stop() {
    stopped = true;
    return Future.all(senders)
        .compose(
            ended -> {
              List<Future<Void>> reads = new ArrayList<>();
              for (int key = 0; key < counts.length(); key++) {
                reads.add(check(key));
              }
              return Future.all(reads);
            })
        .mapEmpty();
  }

  private Future<Void> check(int key) {
    return vertx
        .eventBus()
        .<JsonObject>request(
            address, new JsonObject(), options(key).addHeader(GroupMessage.READ, "0"))
        .onSuccess(
            reply -> {
              long count = reply.body().getLong("count");
              if (count != counts.get(key)) {
                wrong.add("key " + key + ": " + count + ", answered were " + counts.get(key));
              }
            })
        .<Void>mapEmpty()
        .recover(failure -> vertx.timer(RETRY_MS).compose(again -> check(key)));
  }
}
