package dev.weir.bench.persistence.program;

import dev.weir.bench.load.Clock;
import dev.weir.bench.load.Pace;
import dev.weir.bench.load.SendSchedule;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.ReadBack;
import dev.weir.bench.program.Directories;
import dev.weir.bench.program.IntervalStats;
import dev.weir.bench.program.Latencies;
import dev.weir.bench.program.ProgramText;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One run of a program: warm-up, writing, reading back, verdict. */
final class LoggerRun {
  private static final long SEED = 13;
  private static final double NANOS_PER_SECOND = 1e9;

  private final String name;
  private final LoggerProgram program;
  private final LoggerOptions options;
  private final PrintWriter out;
  private final LogSpec spec;
  private final Payload payload;
  private final Clock clock = Clock.system();

  LoggerRun(String name, LoggerProgram program, PrintWriter out) {
    this.name = name;
    this.program = program;
    this.options = program.options;
    this.out = out;
    this.spec = program.log();
    this.payload = new Payload(SEED, options.messageBytes);
  }

  /** Runs everything, blocking the caller, and prints the results. */
  Verdict run() throws IOException, InterruptedException {
    out.printf(
        "%s: %s messages of %d bytes, up to %d per commit%s%n",
        name,
        ProgramText.number(options.count),
        options.messageBytes,
        spec.perCommit(),
        options.detached.on() ? ", detached behind a queue of " + options.queueDepth : "");
    String mode = spec.deviceWrites() ? ", every write waits for the device" : "";
    out.printf("flush %s: %s%s%n", spec.flush(), program.mechanism.durability(spec.flush()), mode);
    warmUp();
    Path directory = Files.createTempDirectory(options.logLocation, name + "-");
    try {
      Verdict verdict = write(directory).and(readBack(directory));
      out.printf("verdict: %s%n", verdict);
      return verdict;
    } finally {
      if (options.keep.on()) {
        out.printf("log: %s%n", directory);
      } else {
        Directories.delete(directory);
      }
    }
  }

  private void warmUp() throws IOException, InterruptedException {
    if (options.warmupTime > 0) {
      Path directory = Files.createTempDirectory(options.logLocation, name + "-warm-up-");
      try (MessageLog log = MessageLog.open(program.mechanism, directory, spec);
          Latencies latencies = new Latencies(null)) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.warmupTime);
        generate(sink(log, latencies), Long.MAX_VALUE, endNs);
      } finally {
        Directories.delete(directory);
      }
    }
  }

  private Verdict write(Path directory) throws IOException, InterruptedException {
    Path file = options.latencies(name);
    try (MessageLog log = MessageLog.open(program.mechanism, directory, spec);
        Latencies latencies = new Latencies(file)) {
      Tail tail =
          program.tails()
              ? Tail.start(log, new ReadBack(spec, payload, options.count, false))
              : null;
      long startNs = System.nanoTime();
      Pace pace;
      IntervalStats stats =
          options.printIntervalStats.on() ? IntervalStats.start(latencies.recording(), out) : null;
      try {
        pace = generate(sink(log, latencies), options.count, Long.MAX_VALUE);
      } finally {
        if (stats != null) {
          stats.stop();
        }
      }
      long elapsedNs = System.nanoTime() - startNs;
      out.printf("write: %s%n", ProgramText.perSec(options.count, elapsedNs));
      out.printf(
          "latency, %s to its commit, %s%n",
          pace == null ? "closed loop, from a message's append" : "from its intended time",
          ProgramText.text(latencies.recording().summary()));
      if (file != null) {
        out.printf("latencies of all messages: %s (ns, big-endian 8-byte integers)%n", file);
      }
      if (pace != null) {
        printPace(pace, options.count * NANOS_PER_SECOND / elapsedNs);
      }
      Verdict verdict = Verdict.ok();
      if (tail != null) {
        long readMeanwhile = tail.read();
        verdict = verdict.and(tail.finish());
        long tailNs = System.nanoTime() - startNs;
        out.printf(
            "tail: %s, of these %s while they were written%n",
            ProgramText.perSec(tail.read(), tailNs), ProgramText.number(readMeanwhile));
      }
      return verdict;
    }
  }

  /** Prints whether the rate was kept; a missed rate is no failure. */
  private void printPace(Pace pace, double donePerSec) {
    Verdict kept = pace.verdict(donePerSec);
    out.printf(
        "rate: %s, the latest write %.1f ms late%n",
        kept.isOk() ? "kept" : String.join("; ", kept.reasons()), pace.maxLagNs() / 1e6);
  }

  private MessageSink sink(MessageLog log, Latencies latencies) {
    boolean early = program.commitsEarly() && (options.rate > 0 || options.detached.on());
    MessageSink sink = new CommitSink(log, spec.perCommit(), early, latencies);
    if (options.detached.on()) {
      return new DetachedSink(sink, options.queueDepth, options.affinity::bind);
    }
    options.affinity.bind();
    return sink;
  }

  /**
   * Writes so many messages, or until the time.
   *
   * @return how the rate was kept; null if none was asked for
   */
  private Pace generate(MessageSink sink, long count, long endNs)
      throws IOException, InterruptedException {
    byte[] message = payload.create(0);
    SendSchedule schedule = options.rate > 0 ? new SendSchedule(options.rate) : null;
    long nowNs = clock.nanoTime();
    if (schedule != null) {
      schedule.start(nowNs);
    }
    for (long number = 0; number < count && nowNs < endNs; number++) {
      if (schedule != null && !schedule.isDue(number, nowNs)) {
        clock.awaitUntil(schedule.dueNs(number));
      }
      nowNs = clock.nanoTime();
      payload.stamp(message, number);
      if (schedule == null) {
        sink.accept(number, nowNs, message, true);
      } else {
        schedule.markSent(nowNs);
        boolean moreDue = schedule.isDue(number + 1, nowNs);
        sink.accept(number, schedule.dueNs(number), message, moreDue);
      }
    }
    sink.finish();
    return schedule == null ? null : schedule.pace();
  }

  private Verdict readBack(Path directory) throws IOException {
    try (MessageLog log = MessageLog.open(program.mechanism, directory, spec)) {
      if (program.readsLazily()) {
        printLazyRead(log);
      }
      ReadBack readBack = new ReadBack(spec, payload, options.count, log.lastStatesOnly());
      long startNs = System.nanoTime();
      Verdict verdict = readBack.readAll(log);
      out.printf(
          "read, every message decoded and checked: %s%n",
          ProgramText.perSec(readBack.read(), System.nanoTime() - startNs));
      return verdict;
    } catch (RuntimeException e) {
      return Verdict.fail("the log could not be opened: " + ReadBack.firstLine(e));
    }
  }

  private void printLazyRead(MessageLog log) throws IOException {
    long records = 0;
    long startNs = System.nanoTime();
    try (LogReader reader = log.reader()) {
      while (reader.skip()) {
        records++;
      }
    }
    out.printf("read, lazy: %s%n", ProgramText.perSec(records, System.nanoTime() - startNs));
  }
}
