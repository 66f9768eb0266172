package dev.weir.bench.cluster.floors;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.bench.RunContext;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The floor of JE: one thread writes a record and commits it to the operating system each. */
final class JeFloor {
  private static final int RECORD_BYTES = 250;

  private final RunContext context;
  private final Floors floors;

  JeFloor(RunContext context, Floors floors) {
    this.context = context;
    this.floors = floors;
  }

  void run() throws Exception {
    long operations = context.scaled(60_000L, 600_000L);
    Recording recording = Recording.singleWriter();
    Load load = Load.of(operations).recordingInto(recording);
    context.report(
        floors
            .measure(context, "je", "append", recording, () -> round(load))
            .flush("os")
            .payloadBytes(RECORD_BYTES));
  }

  private RoundResult round(Load load) throws IOException, InterruptedException {
    try (DataDirectory directory = context.dataDirectory();
        Environment environment = new Environment(directory.path().toFile(), environmentConfig());
        Database database =
            environment.openDatabase(
                null, "log", new DatabaseConfig().setAllowCreate(true).setTransactional(true))) {
      RoundResult result = new ClosedLoop(target(database), load, 1).run(Runnable::run);
      long records = database.count();
      return result.and(
          Verdict.ok().unless(records == load.operations(), "records in the log: " + records));
    }
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
