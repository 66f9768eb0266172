package dev.weir.bench.persistence.loggers;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.ReadBack;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The work of one mechanism in one shape: writes a new log, reads it back, removes it. */
final class LogWorkload {
  private static final String LOOP = "sequential";
  private static final long SEED = 11;

  private final Path parent;
  private final Mechanism mechanism;
  private final LogSpec spec;
  private final Payload payload;
  private final Recording commits = Recording.singleWriter();

  LogWorkload(Path parent, Mechanism mechanism, LogSpec spec) {
    this.parent = parent;
    this.mechanism = mechanism;
    this.spec = spec;
    this.payload = new Payload(SEED, spec.messageBytes());
  }

  Mechanism mechanism() {
    return mechanism;
  }

  /** How long commits took, each from its first append on. */
  Recording commits() {
    return commits;
  }

  /** One round; only the writing is timed. */
  RoundResult round(long messages) throws IOException {
    Path directory = Files.createTempDirectory(parent, mechanism.path() + "-");
    try {
      long elapsedNs = write(directory, messages);
      ReadBack readBack;
      Verdict verdict;
      try (MessageLog log = MessageLog.open(mechanism, directory, spec)) {
        readBack = new ReadBack(spec, payload, messages, log.lastStatesOnly());
        verdict = readBack.readAll(log);
      }
      return RoundResult.of(LOOP, readBack.tally(), elapsedNs).and(verdict);
    } finally {
      Directories.delete(directory);
    }
  }

  private long write(Path directory, long messages) throws IOException {
    byte[] body = payload.create(0);
    try (MessageLog log = MessageLog.open(mechanism, directory, spec)) {
      long startNs = System.nanoTime();
      long commitStartNs = startNs;
      for (long number = 0; number < messages; ) {
        payload.stamp(body, number);
        log.append(number, body);
        number++;
        if (number % spec.perCommit() == 0 || number == messages) {
          log.commit();
          long nowNs = System.nanoTime();
          commits.record(nowNs - commitStartNs);
          commitStartNs = nowNs;
        }
      }
      return commitStartNs - startNs;
    }
  }
}
