package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.testing.Await;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends cars to a group at a steady rate and checks every reply. The group replies with the number
 * of cars that it has handled: a lower number than the car's shows a loss, a higher one that a car
 * was handled twice.
 */
final class CountedCars implements AutoCloseable {
  private static final long INTERVAL_NS = 2_000_000;
  private static final int MORE = 250;

  private final Vertx vertx = ProcessorMain.newVertx();
  private final ProcessorClient client;
  private final CarRequests expected = new CarRequests(Encoding.SBE_DIRECT, false);
  private final Thread thread = new Thread(this::send, "test-cars");
  private volatile boolean stopped;
  private volatile long sent;

  // Written by the client's thread only.
  private volatile long answered;
  private volatile String problem;

  /** Starts to send at once. */
  CountedCars(String members) {
    client =
        ProcessorClient.create(
            vertx, new ProcessorClientOptions().setMembers(List.of(members.split(","))));
    thread.start();
  }

  private void send() {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    while (!stopped) {
      if (sent - answered < ProcessorClientOptions.DEFAULT_WINDOW) {
        long number = sent + 1;
        int bytes = requests.encode(number, room, 0);
        Buffer body = Buffer.buffer(bytes).appendBytes(room.array(), 0, bytes);
        client.send(body).onComplete(result -> end(result, number));
        sent = number;
      }
      LockSupport.parkNanos(INTERVAL_NS);
    }
  }

  private void end(AsyncResult<Buffer> result, long number) {
    if (result.failed()) {
      problem = "car " + number + " failed: " + result.cause();
      return;
    }
    ByteBuffer reply = ByteBuffer.wrap(result.result().getBytes());
    long handled = expected.odometer(reply, 0);
    if (handled != number || !expected.isReply(reply, 0, reply.limit(), number, handled)) {
      problem = "the reply to car " + number + " says " + handled + " cars";
    }
    answered = answered + 1;
  }

  /** Waits until some more cars than those on their way now are answered. */
  void awaitMore() {
    long target = sent + MORE;
    Await.until(() -> "car " + target + " is answered, not " + answered, () -> answered >= target);
  }

  /** Stops sending, waits for all replies, and returns how many cars were sent. */
  long finish() {
    stopped = true;
    Await.until("no more cars are sent", () -> !thread.isAlive());
    Await.until(
        () -> sent + " are answered, not " + answered + "; " + problem,
        () -> answered == sent || problem != null);
    assertThat(problem).isNull();
    return sent;
  }

  @Override
  public void close() {
    stopped = true;
    Await.until("no more cars are sent", () -> !thread.isAlive());
    client.close();
    vertx.close().await();
  }
}
