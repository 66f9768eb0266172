package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.load.SendSchedule;
import dev.weir.bench.record.Recording;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.processor.CarCodec;
import dev.weir.processor.CarRequests;
import dev.weir.processor.Encoding;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * A driver that sends cars to a group at a steady rate, whatever happens to the group, and checks
 * every byte of the replies. The group counts the cars that it handles and replies with that count:
 * a count below the number of the car shows that cars were lost after their reply, a count above it
 * that cars were handled twice.
 */
final class CarDriver implements AutoCloseable {
  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long BEHIND_NS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int WINDOW = 16 << 10;

  private final ProcessorClient client;
  private final ReplyTimeline timeline;
  private final LongUnaryOperator odometers;
  private final Recording all = Recording.singleWriter();
  private final CarRequests expected = new CarRequests(Encoding.SBE_DIRECT, false);
  private final Thread thread = new Thread(this::send, "bench-driver");
  private final SendSchedule schedule;
  private volatile Recording phase = Recording.singleWriter();
  private volatile boolean stopped;
  private volatile long sent;

  // Written by the client's thread only.
  private volatile long answered;
  private volatile long failed;
  private volatile long corrupt;
  private volatile long missing;
  private volatile long repeated;
  private volatile String firstFailure;

  /**
   * What became of the cars.
   *
   * @param lost the largest number of earlier cars that a reply showed to be missing
   * @param repeated the largest number of earlier cars that a reply showed to be handled twice
   * @param firstFailure null if none failed
   */
  record Counts(
      long sent,
      long answered,
      long failed,
      long corrupt,
      long lost,
      long repeated,
      String firstFailure) {}

  /** For a group that counts all cars; starts to send at once, on a thread of its own. */
  CarDriver(Vertx vertx, List<MemberAddress> members, int ratePerSec) {
    this(vertx, members, ratePerSec, LongUnaryOperator.identity());
  }

  /**
   * @param odometers the count that the group replies to a car, by the number of the car
   */
  CarDriver(Vertx vertx, List<MemberAddress> members, int ratePerSec, LongUnaryOperator odometers) {
    this.odometers = odometers;
    this.client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setMembers(members.stream().map(MemberAddress::clients).toList())
                .setWindow(WINDOW));
    long startNs = System.nanoTime();
    this.schedule = new SendSchedule(ratePerSec);
    this.timeline = new ReplyTimeline(startNs);
    schedule.start(startNs);
    thread.start();
  }

  private void send() {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    for (long number = 1; awaitTurn(number); number++) {
      long serial = number;
      int bytes = requests.encode(serial, room, 0);
      Buffer body = Buffer.buffer(bytes).appendBytes(room.array(), 0, bytes);
      client.send(body).onComplete(result -> end(result, serial));
      sent = number;
    }
  }

  /** When the car with this number, counted from 1, is due. */
  private long dueNs(long number) {
    return schedule.dueNs(number - 1);
  }

  /**
   * Waits until the car is due and the window has room. Latency counts from the due time, so the
   * wait for room is part of it.
   *
   * @return false if no more cars are to be sent
   */
  private boolean awaitTurn(long number) {
    while (!stopped
        && (dueNs(number) - System.nanoTime() > 0 || number - answered - failed > WINDOW)) {
      LockSupport.parkNanos(WAIT_NS);
    }
    return !stopped;
  }

  private void end(AsyncResult<Buffer> result, long number) {
    long nowNs = System.nanoTime();
    if (result.succeeded()) {
      long latencyNs = nowNs - dueNs(number);
      all.record(latencyNs);
      phase.record(latencyNs);
      timeline.onReply(nowNs);
      check(ByteBuffer.wrap(result.result().getBytes()), number);
      answered = answered + 1;
    } else {
      firstFailure = failed == 0 ? result.cause().getMessage() : firstFailure;
      failed = failed + 1;
    }
  }

  private void check(ByteBuffer reply, long number) {
    int bytes = reply.limit();
    long odometer = bytes < Long.BYTES ? 0 : expected.odometer(reply, 0);
    if (!expected.isReply(reply, 0, bytes, number, odometer)) {
      corrupt = corrupt + 1;
    } else {
      long due = odometers.applyAsLong(number);
      missing = Math.max(missing, due - odometer);
      repeated = Math.max(repeated, odometer - due);
    }
  }

  ReplyTimeline timeline() {
    return timeline;
  }

  /** Latencies of all replies, each from when its car was due. */
  Recording latencies() {
    return all;
  }

  /** Records later latencies here too, and no longer in the recording that was set before. */
  void recordInto(Recording recording) {
    phase = recording;
  }

  long answered() {
    return answered;
  }

  Counts counts() {
    return new Counts(sent, answered, failed, corrupt, missing, repeated, firstFailure);
  }

  /**
   * Waits until all cars have been answered that were due a quarter of a second ago.
   *
   * @throws IOException if that takes too long
   */
  void awaitCaughtUp(Duration timeout) throws IOException, InterruptedException {
    long endNs = System.nanoTime() + timeout.toNanos();
    while (dueNs(answered + failed + 1) < System.nanoTime() - BEHIND_NS) {
      if (System.nanoTime() - endNs > 0) {
        throw new IOException("the driver is still behind after " + timeout + ": " + counts());
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Stops sending and waits for the missing replies, but not longer than the patience. */
  void finish(Duration patience) throws InterruptedException {
    stopped = true;
    thread.join();
    long endNs = System.nanoTime() + patience.toNanos();
    while (answered + failed < sent && endNs - System.nanoTime() > 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Override
  public void close() {
    stopped = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    client.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
