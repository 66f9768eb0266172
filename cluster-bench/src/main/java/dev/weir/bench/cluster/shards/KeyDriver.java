package dev.weir.bench.cluster.shards;

import dev.weir.bench.cluster.steady.SteadyDriver;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.ServiceMessage;
import dev.weir.group.GroupMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * A driver that sends messages to a {@link KeyCounter} over the event bus, to each key in turn, and
 * checks the count in every reply. The next message of a key waits for the reply to the one before;
 * a message without a reply is sent again under its id. So the reply to the Nth message of a key
 * counts N unless a message was lost or applied twice.
 */
final class KeyDriver extends SteadyDriver<Buffer> {
  private static final long TIMEOUT_MS = 2_000;
  private static final long RETRY_MS = 20;

  /** Reads at a time at the end. */
  private static final int READERS = 50;

  private final Vertx vertx;
  private final Context loop;
  private final Buffer padding;
  private final List<Key> keys = new ArrayList<>();
  private volatile long sentAgain;
  private volatile boolean released;

  // Guarded by this.
  private long longestWaitNs;

  /** A key; used on the loop. */
  private static final class Key {
    private final String name;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean isBusy;
    private long repliedNs = Long.MIN_VALUE;

    private Key(String name) {
      this.name = name;
    }
  }

  private record Waiting(long number, Promise<Buffer> reply) {}

  /** Starts to send at once, on a thread of its own. */
  KeyDriver(Vertx vertx, int ratePerSec, int keys, int payloadBytes) {
    super(ratePerSec);
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.padding = Buffer.buffer(new byte[payloadBytes - Long.BYTES]);
    for (int key = 0; key < keys; key++) {
      this.keys.add(new Key("key " + key));
    }
    begin();
  }

  private Key key(long number) {
    return keys.get((int) ((number - 1) % keys.size()));
  }

  /** How many messages its key has had with this one. */
  private long ofKey(long number) {
    return (number - 1) / keys.size() + 1;
  }

  @Override
  protected Future<Buffer> send(long number) {
    Promise<Buffer> reply = Promise.promise();
    loop.runOnContext(
        turn -> {
          Key key = key(number);
          key.waiting.add(new Waiting(number, reply));
          sendNext(key);
        });
    return reply.future();
  }

  private void sendNext(Key key) {
    if (key.isBusy || key.waiting.isEmpty()) {
      return;
    }
    key.isBusy = true;
    attempt(key, key.waiting.remove());
  }

  /**
   * Sends until there is a reply. Each attempt is a request of its own: futures that wait for each
   * other would be as many as the attempts, and complete in calls as deep.
   */
  private void attempt(Key key, Waiting next) {
    Buffer body =
        Buffer.buffer(Long.BYTES + padding.length()).appendLong(next.number).appendBuffer(padding);
    DeliveryOptions options = options(key).addHeader(ServiceMessage.MESSAGE_ID, "" + next.number);
    vertx
        .eventBus()
        .<Buffer>request(ShardMemberMain.SERVICE, body, options)
        .onSuccess(
            reply -> {
              onReply(key, next.number);
              next.reply.complete(reply.body());
              key.isBusy = false;
              sendNext(key);
            })
        .onFailure(failure -> attemptAgain(key, next, failure));
  }

  private void attemptAgain(Key key, Waiting next, Throwable failure) {
    if (released) {
      next.reply.fail(failure);
    } else {
      sentAgain = sentAgain + 1;
      vertx.setTimer(RETRY_MS, later -> attempt(key, next));
    }
  }

  private static DeliveryOptions options(Key key) {
    return new DeliveryOptions()
        .setSendTimeout(TIMEOUT_MS)
        .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS)
        .addHeader(ServiceMessage.KEY, key.name);
  }

  private void onReply(Key key, long number) {
    long nowNs = System.nanoTime();
    long sinceNs = Math.max(dueNs(number), key.repliedNs);
    key.repliedNs = nowNs;
    synchronized (this) {
      longestWaitNs = Math.max(longestWaitNs, nowNs - sinceNs);
    }
  }

  /** Starts a new search for the longest wait of a key. */
  synchronized void watchWaits() {
    longestWaitNs = 0;
  }

  /**
   * The longest time since {@link #watchWaits} for which a message of a key was due and the key got
   * no reply.
   */
  synchronized double longestWaitMs() {
    return longestWaitNs / 1e6;
  }

  /** Messages that were sent again because they were refused, or not answered in time. */
  long sentAgain() {
    return sentAgain;
  }

  @Override
  protected void check(Buffer reply, long number) {
    if (reply.length() == KeyCounter.REPLY_BYTES && reply.getLong(Long.BYTES) == number) {
      counted(ofKey(number), reply.getLong(0));
    } else {
      corrupt();
    }
  }

  /**
   * Reads all keys, when all messages were answered. The caller must wait for it: each key has as
   * many messages as were sent.
   */
  Future<Verdict> readAll() {
    Promise<Verdict> wrong = Promise.promise();
    List<String> differences = new ArrayList<>();
    List<Future<Void>> readers = new ArrayList<>();
    for (int reader = 0; reader < Math.min(READERS, keys.size()); reader++) {
      Promise<Void> end = Promise.promise();
      readers.add(end.future());
      int first = reader;
      loop.runOnContext(turn -> read(first, differences, end));
    }
    Future.all(readers)
        .onComplete(
            done ->
                wrong.complete(
                    Verdict.ok()
                        .unless(done.succeeded(), "keys could not be read: " + done.cause())
                        .unless(
                            differences.isEmpty(),
                            differences.size() + " keys differ, such as " + first(differences))));
    return wrong.future();
  }

  private static String first(List<String> differences) {
    return differences.isEmpty() ? "none" : differences.get(0);
  }

  private void read(int index, List<String> differences, Promise<Void> end) {
    if (index >= keys.size()) {
      end.complete();
      return;
    }
    vertx
        .eventBus()
        .<Buffer>request(
            ShardMemberMain.SERVICE,
            Buffer.buffer(),
            options(keys.get(index)).addHeader(GroupMessage.READ, "0"))
        .onSuccess(
            reply -> {
              long count = reply.body().getLong(0);
              long sent = counts().sent();
              long due = sent / keys.size() + (index < sent % keys.size() ? 1 : 0);
              if (count != due) {
                differences.add(keys.get(index).name + ": has " + count + ", sent were " + due);
              }
              read(index + READERS, differences, end);
            })
        .onFailure(
            failure -> {
              if (released) {
                end.fail(failure);
              } else {
                vertx.setTimer(RETRY_MS, later -> read(index, differences, end));
              }
            });
  }

  @Override
  protected void release() {
    released = true;
  }
}
