package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.env.Jitter;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.floor.FloorFile;
import dev.weir.bench.floor.Pursuit;
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
import java.nio.ByteBuffer;

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
        FloorFile file = new FloorFile(data.path().resolve(PATH));
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

  private SendSchedule write(FloorFile file, long count, double ratePerSec, Recording latencies)
      throws IOException, InterruptedException {
    SendSchedule schedule = new SendSchedule(ratePerSec);
    if (durability == Durability.PROCESS) {
      write(file, count, schedule, (first, end) -> record(first, end, schedule, latencies));
      return schedule;
    }
    Pursuit pursuit = new Pursuit();
    pursuit.run(
        () -> write(file, count, schedule, (first, end) -> pursuit.led(end)),
        () -> {
          for (long done = 0; done < count; ) {
            long end = pursuit.awaitLed(done + 1);
            file.force();
            record(done, end, schedule, latencies);
            done = end;
          }
        });
    return schedule;
  }

  /** What happens to messages that were written. */
  @FunctionalInterface
  private interface Written {
    void accept(long first, long end);
  }

  private void write(FloorFile file, long count, SendSchedule schedule, Written written)
      throws IOException {
    Clock clock = Clock.system();
    schedule.start(clock.nanoTime());
    for (long next = 0; next < count; ) {
      clock.awaitUntil(schedule.dueNs(next) + QueueFlow.TICK_NS);
      long first = next;
      long nowNs = clock.nanoTime();
      long lap = FILE_MESSAGES - first % FILE_MESSAGES;
      long end = Math.min(count, first + Math.min(MOST_PER_WRITE, lap));
      packet.clear();
      while (next < end && schedule.isDue(next, nowNs)) {
        payload.stamp(body, next++);
        packet.put(body);
        schedule.markSent(nowNs);
      }
      file.write(packet.flip(), place(first));
      written.accept(first, next);
    }
  }

  private static long place(long message) {
    return message % FILE_MESSAGES * QueueFixture.BYTES;
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

  /** Reads back what the file still has. */
  private Verdict lastLap(FloorFile file, long messages) throws IOException {
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
