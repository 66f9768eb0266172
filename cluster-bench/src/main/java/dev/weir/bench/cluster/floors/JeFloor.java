package dev.weir.bench.cluster.floors;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The floor of JE: one thread writes records, and commits each or many to the system. */
final class JeFloor {
  /** Records of a packet. */
  static final int PACKED = 64;

  private static final int RECORD_BYTES = 250;

  private final RunContext context;
  private final Floors floors;

  JeFloor(RunContext context, Floors floors) {
    this.context = context;
    this.floors = floors;
  }

  void run() throws Exception {
    long operations = context.scaled(60_000L, 200_000L);
    Recording recording = Recording.singleWriter();
    Load load = Load.of(operations).recordingInto(recording);
    report("append", recording, () -> round(load));
    report("append-packed", null, () -> packed(operations));
  }

  private void report(String path, Recording recording, Rounds.Round round) throws Exception {
    context.report(
        floors
            .measure(context, "je", path, recording, round)
            .flush("os")
            .payloadBytes(RECORD_BYTES));
  }

  private interface Work {
    RoundResult on(Database database) throws InterruptedException;
  }

  private RoundResult inNewLog(long records, Work work) throws IOException, InterruptedException {
    try (DataDirectory directory = context.dataDirectory();
        Environment environment = new Environment(directory.path().toFile(), environmentConfig());
        Database database =
            environment.openDatabase(
                null, "log", new DatabaseConfig().setAllowCreate(true).setTransactional(true))) {
      RoundResult result = work.on(database);
      long found = database.count();
      return result.and(Verdict.ok().unless(found == records, "records in the log: " + found));
    }
  }

  private RoundResult round(Load load) throws IOException, InterruptedException {
    return inNewLog(
        load.operations(),
        database -> new ClosedLoop(target(database), load, 1).run(Runnable::run));
  }

  /** One record in the log has many records of the caller, and one commit. */
  private RoundResult packed(long operations) throws IOException, InterruptedException {
    long packets = (operations + PACKED - 1) / PACKED;
    return inNewLog(
        packets,
        database -> {
          byte[] keyBytes = new byte[Long.BYTES];
          DatabaseEntry key = new DatabaseEntry(keyBytes);
          DatabaseEntry data = new DatabaseEntry(new byte[PACKED * RECORD_BYTES]);
          long startNs = System.nanoTime();
          for (long packet = 0; packet < packets; packet++) {
            ByteBuffer.wrap(keyBytes).putLong(0, packet);
            database.put(null, key, data);
          }
          long elapsedNs = System.nanoTime() - startNs;
          return RoundResult.of("sequential", Tally.complete(packets * PACKED), elapsedNs);
        });
  }

  private static EnvironmentConfig environmentConfig() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true);
    config.setDurability(Durability.COMMIT_WRITE_NO_SYNC);
    config.setConfigParam(EnvironmentConfig.FREE_DISK, "0");
    config.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, Integer.toString(256 << 20));
    config.setConfigParam(EnvironmentConfig.ENV_RUN_VERIFIER, "false");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  private static Target target(Database database) {
    byte[] keyBytes = new byte[Long.BYTES];
    DatabaseEntry key = new DatabaseEntry(keyBytes);
    DatabaseEntry data = new DatabaseEntry(new byte[RECORD_BYTES]);
    return (operation, startTimeNs, sink) -> {
      ByteBuffer.wrap(keyBytes).putLong(0, operation);
      database.put(null, key, data);
      sink.onReply(operation, startTimeNs, Reply.OK);
    };
  }
}
