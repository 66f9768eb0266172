package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.env.Jitter;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.load.Clock;
import dev.weir.bench.load.SendSchedule;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * The floor below appends at a rate: a thread that wakes as the appender of a queue does writes the
 * bodies that are due in one write, to a plain file that it writes again and again. For {@link
 * Durability#MACHINE} a second thread forces what was written during the last force. Nothing is
 * taken out.
 */
final class PacedFile {
  /** The field {@code path} of its rows. */
  static final String PATH = "file";

  private static final int FILE_MESSAGES = 1 << 18;
  private static final int MOST_PER_WRITE = 1 << 12;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Durability durability;
  private final Payload payload = new Payload(QueueFixture.SEED, QueueFixture.BYTES);
  private final byte[] body = payload.create(0);
  private final ByteBuffer packet = ByteBuffer.allocateDirect(MOST_PER_WRITE * QueueFixture.BYTES);
  private volatile long written;

  PacedFile(Durability durability) {
    this.durability = durability;
  }

  /**
   * Measures in a new file, blocking the caller, after a warm-up at the same rate.
   *
   * @return a row that needs no more than its case
   */
  Row measure(RunContext context, String caseName, long warmUp, long messages, double ratePerSec)
      throws Exception {
    Recording latencies = Recording.concurrent();
    System.gc();
    try (DataDirectory data = context.dataDirectory();
        FileChannel file = open(data.path());
        Jitter jitter = Jitter.start()) {
      write(file, warmUp, ratePerSec, Recording.concurrent());
      RunCost.Meter cost = RunCost.start();
      long startNs = System.nanoTime();
      SendSchedule schedule = write(file, messages, ratePerSec, latencies);
      double elapsedS = (System.nanoTime() - startNs) / NANOS_PER_SECOND;
      RunCost costs = cost.stop();
      double perSec = messages / elapsedS;
      Row row =
          context
              .row()
              .caseName(caseName)
              .path(PATH)
              .payloadBytes(QueueFixture.BYTES)
              .flush(QueueRows.flush(durability).toString())
              .rounds(1)
              .opsPerSec(Spread.of(perSec))
              .latency(latencies)
              .extra("loop", "open")
              .extra("messages", messages)
              .extra("durability", durability.toString())
              .extra(Doubts.MEASURED_MS, 1000 * elapsedS)
              .extra("jitterUs", jitter.summary().toMap())
              .verdict(lastLap(file, messages))
              .and(schedule.pace().verdict(perSec))
              .pace(schedule.pace());
      row.extras(costs.toMap());
      return row;
    }
  }

  private static FileChannel open(Path directory) throws IOException {
    return FileChannel.open(
        directory.resolve(PATH),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  private SendSchedule write(FileChannel file, long count, double ratePerSec, Recording latencies)
      throws Exception {
    Clock clock = Clock.system();
    SendSchedule schedule = new SendSchedule(ratePerSec);
    written = 0;
    schedule.start(clock.nanoTime());
    FutureTask<Void> forcing = null;
    if (durability == Durability.MACHINE) {
      forcing = new FutureTask<>(() -> force(file, count, schedule, latencies), null);
      Thread thread = new Thread(forcing, "bench-forcer");
      thread.setDaemon(true);
      thread.start();
    }
    for (long next = 0; next < count; ) {
      clock.awaitUntil(schedule.dueNs(next) + QueueFlow.TICK_NS);
      long first = next;
      long nowNs = clock.nanoTime();
      long end = first + Math.min(MOST_PER_WRITE, FILE_MESSAGES - first % FILE_MESSAGES);
      packet.clear();
      while (next < Math.min(end, count) && schedule.isDue(next, nowNs)) {
        payload.stamp(body, next++);
        packet.put(body);
        schedule.markSent(nowNs);
      }
      packet.flip();
      for (long at = place(first); packet.hasRemaining(); ) {
        at += file.write(packet, at);
      }
      written = next;
      if (forcing == null) {
        record(first, next, schedule, latencies);
      }
    }
    if (forcing != null) {
      awaitEnd(forcing);
    }
    return schedule;
  }

  private static long place(long message) {
    return message % FILE_MESSAGES * QueueFixture.BYTES;
  }

  private void force(FileChannel file, long count, SendSchedule schedule, Recording latencies) {
    try {
      for (long done = 0; done < count; ) {
        long end = written;
        if (end == done) {
          LockSupport.parkNanos(this, QueueFlow.TICK_NS / 4);
        } else {
          file.force(false);
          record(done, end, schedule, latencies);
          done = end;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The due times do not change after the start of the schedule, so any thread may ask for them.
   */
  private static void record(long first, long end, SendSchedule schedule, Recording latencies) {
    long nowNs = System.nanoTime();
    for (long i = first; i < end; i++) {
      latencies.record(nowNs - schedule.dueNs(i));
    }
  }

  private static void awaitEnd(FutureTask<Void> forcing) throws Exception {
    try {
      forcing.get();
    } catch (ExecutionException e) {
      throw new IOException("the file could not be forced", e.getCause());
    }
  }

  /** Reads back what the file still has. */
  private Verdict lastLap(FileChannel file, long messages) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(body);
    long wrong = 0;
    for (long i = Math.max(0, messages - FILE_MESSAGES); i < messages; i++) {
      bytes.clear();
      file.read(bytes, place(i));
      wrong += payload.matches(i, body) ? 0 : 1;
    }
    return Verdict.ok().unless(wrong == 0, "bodies that were not read back " + wrong);
  }
}
