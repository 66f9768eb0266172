package dev.weir.processor;

import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code drive}: sends cars to a group at a steady rate and prints the progress. */
@Command(
    name = "drive",
    mixinStandardHelpOptions = true,
    description =
        "Sends cars to the primary of a group and prints every second how many were answered.")
final class DriveCommand implements Callable<Integer> {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int WINDOW = ProcessorClientOptions.DEFAULT_WINDOW;
  private static final long REPLY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(200);

  @Spec private CommandSpec spec;
  @Mixin private GroupArguments group;

  @Option(names = "--encoding", defaultValue = Encoding.DEFAULT, description = Encoding.DESCRIPTION)
  private Encoding encoding;

  @Option(
      names = "--at",
      split = ",",
      description = "host:port of every member's client port; by default 127.0.0.1:7701, 7702, ...")
  private List<String> at;

  @Option(
      names = "--count",
      defaultValue = "100000",
      description = "Number of cars to send; ${DEFAULT-VALUE} by default.")
  private long count;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Cars per second; ${DEFAULT-VALUE} by default.")
  private int rate;

  @Option(
      names = "--tls-trusted",
      description = "PEM file of who signs the members' certificates, for members with TLS.")
  private Path tlsTrusted;

  @Option(names = "--secret-file", description = "File with the secret that the members ask for.")
  private Path secretFile;

  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final LongAccumulator slowestNs = new LongAccumulator(Math::max, 0);
  private volatile String firstFailure;

  @Override
  public Integer call() throws Exception {
    if (group.groups.size() != 1) {
      throw new IllegalArgumentException(
          "--group is " + group.groups + ", allowed for a driver is one group");
    }
    if (count < 1 || rate < 1) {
      throw new IllegalArgumentException(
          "--count is " + count + " and --rate is " + rate + ", allowed is at least 1 for both");
    }
    Vertx vertx = ProcessorMain.newVertx();
    ProcessorClient client = ProcessorClient.create(vertx, clientOptions());
    try {
      send(client);
      awaitReplies();
    } finally {
      client.close();
      vertx.close().await();
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf("sent %d, answered %d, failed %d%n", count, answered.get(), failed.get());
    if (firstFailure != null) {
      out.println("first failure: " + firstFailure);
    }
    out.flush();
    return answered.get() == count ? 0 : 1;
  }

  private ProcessorClientOptions clientOptions() {
    return new ProcessorClientOptions()
        .setTlsTrusted(tlsTrusted)
        .setSecretFile(secretFile)
        .setGroup(group.groups.get(0))
        .setMembers(at == null ? group.clientAddresses(NodeOptions.DEFAULT_HOST) : at)
        .setWindow(WINDOW);
  }

  private void send(ProcessorClient client) {
    CarRequests requests = new CarRequests(encoding, false);
    ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    long startNs = System.nanoTime();
    long nextLineNs = startNs + (long) NANOS_PER_SECOND;
    for (long serial = 1; serial <= count; serial++) {
      long dueNs = startNs + (long) ((serial - 1) * NANOS_PER_SECOND / rate);
      awaitTurn(serial, dueNs);
      int bytes = requests.encode(serial, room, 0);
      Buffer body = Buffer.buffer(bytes).appendBytes(room.array(), 0, bytes);
      client.send(body).onComplete(result -> end(result, dueNs));
      if (System.nanoTime() - nextLineNs >= 0) {
        printLine(serial, startNs);
        nextLineNs += (long) NANOS_PER_SECOND;
      }
    }
  }

  /**
   * Waits until the car is due and the window has room. Its latency counts from when it was due.
   */
  private void awaitTurn(long serial, long dueNs) {
    while (dueNs - System.nanoTime() > 0 || serial - answered.get() - failed.get() > WINDOW) {
      LockSupport.parkNanos(POLL_NS);
    }
  }

  private void end(AsyncResult<Buffer> result, long dueNs) {
    slowestNs.accumulate(System.nanoTime() - dueNs);
    if (result.succeeded()) {
      answered.incrementAndGet();
    } else if (failed.getAndIncrement() == 0) {
      firstFailure = result.cause().getMessage();
    }
  }

  private void printLine(long sent, long startNs) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%3.0f s: sent %d, answered %d, failed %d, slowest %.1f ms%n",
        (System.nanoTime() - startNs) / NANOS_PER_SECOND,
        sent,
        answered.get(),
        failed.get(),
        slowestNs.getThenReset() / 1e6);
    out.flush();
  }

  private void awaitReplies() {
    long deadlineNs = System.nanoTime() + REPLY_TIMEOUT_NS;
    while (answered.get() + failed.get() < count && deadlineNs - System.nanoTime() > 0) {
      LockSupport.parkNanos(POLL_NS);
    }
  }
}
