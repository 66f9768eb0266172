package dev.weir.flow;

import dev.weir.queue.Durability;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/**
 * The process that {@link CrashTest} kills. Handles what is left in a directory, then sends and
 * handles until it is killed; or, without a first number, ends cleanly. Prints lines:
 *
 * <pre>
 * H number deliveryCount   a message is started; printed before it is acknowledged
 * A number                 a send has completed
 * R count                  so many messages were found in the directory
 * X text                   what must not happen
 * </pre>
 */
final class CrashChild {
  private static final String ADDRESS = "work";
  private static final int IN_FLIGHT = 300;
  private static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;
  private static final int MIN_BYTES = 20;
  private static final int MAX_BYTES = 4 << 10;
  private static final int LARGE_BYTES = 100_000;
  private static final int LARGE_EVERY = 250;

  private final Vertx vertx = Vertx.vertx();
  private final Context sender = vertx.getOrCreateContext();
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private final Promise<Void> recovered = Promise.promise();

  /** Messages of earlier children still to come; below 0 until it is known how many there are. */
  private final AtomicLong left = new AtomicLong();

  private final Weir weir;
  private final Durability durability;
  private long next;
  private int inFlight;

  private CrashChild(String directory, Durability durability) {
    this.durability = durability;
    this.weir =
        Weir.create(
            vertx,
            new WeirOptions()
                .setDirectory(directory)
                .setLogFileBytes(1 << 20)
                .setMinFreeBytes(1 << 20));
  }

  /**
   * @param args directory, durability, and the first number to send, if any
   */
  public static void main(String[] args) {
    CrashChild child = new CrashChild(args[0], Durability.valueOf(args[1]));
    if (args.length > 2) {
      child.next = Long.parseLong(args[2]);
    }
    child.start(args.length > 2);
  }

  private void start(boolean sends) {
    weir.serve(ADDRESS, new ServiceOptions().setWorkers(1), this::handle)
        .onFailure(failure -> print("X serve failed: " + failure))
        .onSuccess(
            service -> {
              print("R " + service.stats().recovered());
              count(service.stats().recovered());
            });
    recovered
        .future()
        .onSuccess(
            ignored -> {
              if (sends) {
                sender.runOnContext(start -> sendMore());
              } else {
                vertx.close();
              }
            });
  }

  private void count(long added) {
    if (left.addAndGet(added) == 0) {
      recovered.tryComplete();
    }
  }

  private Future<?> handle(ServiceMessage<Buffer> message) {
    Buffer body = message.body();
    long number = body.getLong(0);
    if (body.length() != size(number) || body.getInt(Long.BYTES) != crc(body)) {
      print("X body of " + number + " is corrupt, " + body.length() + " bytes");
    }
    print("H " + number + " " + message.deliveryCount());
    count(-1);
    Promise<Void> later = Promise.promise();
    if (number / CrashLog.ROUND % 5 == 4 && number % 64 == 0) {
      // Slower than the sender, so that much is left.
      vertx.setTimer(5, ignored -> later.complete());
      return later.future();
    }
    if (number % 3 == 0) {
      return Future.succeededFuture();
    }
    vertx.runOnContext(ignored -> later.complete());
    return later.future();
  }

  private void sendMore() {
    while (inFlight < IN_FLIGHT) {
      long number = next++;
      inFlight++;
      weir.send(ADDRESS, body(number), durability)
          .onComplete(
              done -> {
                print(done.succeeded() ? "A " + number : "X send of " + number + done.cause());
                inFlight--;
                sendMore();
              });
    }
  }

  private static int size(long number) {
    return number % LARGE_EVERY == LARGE_EVERY - 1
        ? LARGE_BYTES
        : MIN_BYTES + new Random(number).nextInt(MAX_BYTES - MIN_BYTES);
  }

  private static Buffer body(long number) {
    byte[] bytes = new byte[size(number) - HEAD_BYTES];
    new Random(~number).nextBytes(bytes);
    Buffer body = Buffer.buffer().appendLong(number).appendInt(0).appendBytes(bytes);
    return body.setInt(Long.BYTES, crc(body));
  }

  /** Of all but itself. */
  private static int crc(Buffer body) {
    byte[] bytes = body.getBytes();
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, Long.BYTES);
    crc.update(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
    return (int) crc.getValue();
  }

  /** In one write and at once: what is printed outlives a kill, and no line is cut. */
  private void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // Nobody listens any more.
      Runtime.getRuntime().halt(1);
    }
  }
}
