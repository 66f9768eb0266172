package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.program.Usage;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@value #NAME}. */
@Command(
    description =
        "Persists single messages: a put for each, --numPerCommit of them in a transaction.",
    sortOptions = false)
public final class MessageLogger extends LoggerProgram {
  public static final String NAME = "message-logger";

  @Option(
      names = {"-k", "--logLocation"},
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory of the log and of the latencies; default ${DEFAULT-VALUE}.")
  Path logLocation;

  @Option(
      names = {"-m", "--logMode"},
      paramLabel = "MODE",
      defaultValue = "rw",
      description =
          "rw (default); rws and rwd: every write waits for the device (je.log.useODSYNC), on JE"
              + " the same.")
  String logMode;

  @Option(
      names = {"-n", "--numPerCommit"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Messages of a commit; default ${DEFAULT-VALUE}.")
  int numPerCommit;

  @Override
  void check(Usage usage) {
    usage.check(LOG_MODES.contains(logMode), "--logMode", logMode, "rw, rws or rwd");
    usage.range("--numPerCommit", numPerCommit, 1, 1_000_000);
  }

  @Override
  Path logLocation() {
    return logLocation;
  }

  @Override
  LoggerPlan plan() {
    return new LoggerPlan(
        Shape.MESSAGE, numPerCommit, 1, false, !logMode.equals("rw"), false, false, false);
  }
}
