package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@value #NAME}. */
@Command(
    description =
        "Persists state changes: each replaces the state of one object, --numPerCommit of them in a"
            + " transaction.",
    sortOptions = false)
public final class StoreLogger extends LoggerProgram {
  public static final String NAME = "store-logger";

  @Option(
      names = {"-o", "--logMode"},
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
      description = "State changes of a commit; default ${DEFAULT-VALUE}.")
  int numPerCommit;

  @Option(
      names = {"-k", "--lazyDeserialize"},
      description =
          "The timed read goes over the records without fetching the states; a second one decodes"
              + " and checks all of them. Default ${DEFAULT-VALUE}.")
  Flag lazyDeserialize = Flag.ON;

  @Option(
      names = "--logLocation",
      paramLabel = "DIR",
      defaultValue = ".",
      description =
          "Directory of the log and of the latencies; default ${DEFAULT-VALUE}. Not in the seed,"
              + " whose -k is --lazyDeserialize for this program.")
  Path logLocation;

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many objects there are; default ${DEFAULT-VALUE}. Not in the seed.")
  long objects;

  @Override
  void check(Usage usage) {
    usage.check(LOG_MODES.contains(logMode), "--logMode", logMode, "rw, rws or rwd");
    usage.range("--numPerCommit", numPerCommit, 1, 1_000_000);
    usage.range("--objects", objects, 1, 1_000_000_000);
  }

  @Override
  Path logLocation() {
    return logLocation;
  }

  @Override
  LoggerPlan plan() {
    return new LoggerPlan(
        Shape.STORE,
        numPerCommit,
        objects,
        false,
        !logMode.equals("rw"),
        false,
        false,
        lazyDeserialize.on());
  }
}
