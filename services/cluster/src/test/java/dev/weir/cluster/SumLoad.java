package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A client of a group that adds up numbers. So each reply is the sum of all numbers up to it, which
 * it is only if each was handled once and none was lost.
 */
final class SumLoad implements AutoCloseable {
  private static final int WINDOW = 64;

  /** Before a reply is followed by the next message: members start beside the load. */
  private static final long PAUSE_MS = 10;

  private final Vertx vertx = Vertx.vertx();

  /** Of all sends: the order of the numbers is that of the sends. */
  private final Context context = vertx.getOrCreateContext();

  private final ProcessorClient client;
  private final Supplier<String> states;
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong replied = new AtomicLong();
  private final AtomicLong longestNs = new AtomicLong();
  private volatile long lastNs;
  private volatile boolean stopping;

  /**
   * Begins to send.
   *
   * @param ports where members take clients
   * @param states what the members do, for the message of a failure
   */
  SumLoad(List<Integer> ports, Supplier<String> states) {
    this.states = states;
    client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setMembers(ports.stream().map(port -> "127.0.0.1:" + port).toList())
                .setWindow(WINDOW));
    lastNs = System.nanoTime();
    context.runOnContext(
        nothing -> {
          for (int i = 0; i < WINDOW; i++) {
            send();
          }
        });
    awaitReplies(1_000);
    takeLongestPauseMs();
  }

  private void send() {
    if (stopping) {
      return;
    }
    long number = sent.incrementAndGet();
    client
        .send(Buffer.buffer().appendLong(number))
        .onComplete(
            reply -> {
              long sum = reply.succeeded() ? reply.result().getLong(0) : -1;
              if (sum != number * (number + 1) / 2) {
                wrong.add(number + " has " + sum + " " + reply.cause());
              }
              long nowNs = System.nanoTime();
              longestNs.accumulateAndGet(nowNs - lastNs, Math::max);
              lastNs = nowNs;
              replied.incrementAndGet();
              vertx.setTimer(PAUSE_MS, later -> send());
            });
  }

  void awaitReplies(long more) {
    long goal = replied.get() + more;
    Await.until(
        () -> "replies up to " + goal + " come, there are " + replied + ": " + states.get() + wrong,
        () -> replied.get() >= goal);
  }

  long replied() {
    return replied.get();
  }

  /** The longest time between two replies since the last call, ms. */
  long takeLongestPauseMs() {
    return TimeUnit.NANOSECONDS.toMillis(longestNs.getAndSet(0));
  }

  /** Sends nothing more, and checks that all was answered, and right. */
  void end() {
    // On the context: no number is taken after it.
    context.runOnContext(nothing -> stopping = true);
    Await.until("the last number is taken", () -> stopping);
    Await.until(
        () -> "all are answered: " + replied + " of " + sent + ": " + states.get(),
        () -> replied.get() == sent.get());
    assertThat(wrong).isEmpty();
  }

  @Override
  public void close() {
    Futures.result("the client ends", vertx.close());
  }
}
