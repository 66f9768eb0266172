package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The time until a queue with a backlog can be used again after a close or a kill. */
public final class RecoveryScenario implements Scenario {
  static final String NAME = "recovery";

  private static final List<Long> QUICK = List.of(1_000L, 100_000L, 1_000_000L);
  private static final List<Long> FULL = List.of(1_000L, 100_000L, 1_000_000L, 10_000_000L);
  private static final int ROUNDS = 3;
  private static final double NANOS_PER_MILLI = 1e6;

  @Override
  public About about() {
    return About.of(
        NAME,
        "The time from opening a store to its first message, with a backlog. closed: the"
            + " store was closed before. killed: the files are a copy of an open store whose"
            + " appends are complete, as a killed process leaves them. The files are in the"
            + " operating system's cache. At the end all messages are taken and checked.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Long> backlogs = context.profile().pick(QUICK, FULL);
    context.progress().begin(NAME, backlogs.size() + 1);
    for (int i = -1; i < backlogs.size(); i++) {
      try (DataDirectory data = context.dataDirectory()) {
        boolean warmUp = i < 0;
        measure(context, data.path(), backlogs.get(Math.max(0, i)), warmUp);
        context.progress().step(warmUp ? "warm-up" : "backlog " + backlogs.get(i));
      }
    }
    context.progress().end();
  }

  private static void measure(RunContext context, Path parent, long asked, boolean warmUp)
      throws Exception {
    long backlog = context.scaled(asked);
    Path closed = Files.createDirectory(parent.resolve("closed"));
    Path killed = parent.resolve("killed");
    try (QueueFixture queue = QueueFixture.open(closed, backlog)) {
      queue.append(backlog, Durability.PROCESS);
      Directories.copy(closed, killed);
    }
    for (Path directory : List.of(closed, killed)) {
      Reopened reopened = new Reopened(parent, directory, backlog);
      Verdict verdict = reopened.measure();
      if (!warmUp) {
        context.report(
            QueueRows.row(context, directory.getFileName().toString(), backlog)
                .rounds(ROUNDS)
                .operations(1)
                .latency(reopened.recording)
                .extra(Doubts.MEASURED_MS, reopened.measuredNs / NANOS_PER_MILLI)
                .column("reopen ms", reopened.recording.summary().p50Us() / 1000)
                .column("disk MiB", reopened.diskBytes >> 20)
                .extra("diskBytes", reopened.diskBytes)
                .extra("durability", Durability.PROCESS.toString())
                .verdict(verdict));
      }
    }
  }

  /** One directory that is opened several times. */
  private static final class Reopened {
    private final Recording recording = Recording.singleWriter();
    private final Path parent;
    private final Path directory;
    private final long backlog;
    private long diskBytes;
    private long measuredNs;

    Reopened(Path parent, Path directory, long backlog) {
      this.parent = parent;
      this.directory = directory;
      this.backlog = backlog;
    }

    /** Each round opens a copy, because opening a store changes its files. */
    Verdict measure() throws Exception {
      diskBytes = Directories.bytes(directory);
      Verdict verdict = Verdict.ok();
      for (int round = 0; round < ROUNDS; round++) {
        Path copy = parent.resolve("copy");
        Directories.copy(directory, copy);
        verdict = verdict.and(reopen(copy, round == ROUNDS - 1));
        Directories.delete(copy);
      }
      return verdict;
    }

    private Verdict reopen(Path copy, boolean drain) {
      long startNs = System.nanoTime();
      try (QueueFixture queue = QueueFixture.open(copy, backlog)) {
        long found = queue.waiting();
        queue.take();
        long openedNs = System.nanoTime() - startNs;
        recording.record(openedNs);
        measuredNs += openedNs;
        Verdict verdict =
            Verdict.ok().unless(found == backlog, "found " + found + " of " + backlog);
        if (drain) {
          queue.drain(backlog - 1);
          verdict = verdict.and(queue.verdict(backlog));
        }
        return verdict;
      }
    }
  }
}
