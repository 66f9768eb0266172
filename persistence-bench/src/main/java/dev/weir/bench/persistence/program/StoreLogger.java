package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program {@code store-logger}. */
@Command(
    description =
        "Persists state changes: each replaces the state of one object, --numPerCommit of them in a"
            + " transaction. The seed has no --logLocation for this program, because its -k stands"
            + " for --lazyDeserialize.")
public final class StoreLogger extends LoggerProgram {
  @Mixin LoggerOptions.Commits commits = new LoggerOptions.Commits();

  @Option(
      names = {"-k", "--lazyDeserialize"},
      description =
          "The timed read goes over the records without fetching the states. A second read decodes"
              + " and checks all of them. Default: ${DEFAULT-VALUE}.")
  Flag lazyDeserialize = Flag.ON;

  @Option(
      names = "--objects",
      defaultValue = "10000",
      description = "How many objects there are. Not in the seed.")
  long objects;

  @Override
  public Map<String, String> shortNames() {
    return Map.of("--logMode", "-o");
  }

  @Override
  void check(Usage usage) {
    commits.check(usage);
    usage.range("--objects", objects, 1, 1_000_000_000);
  }

  @Override
  LogSpec log() {
    return log(Shape.STORE, commits.numPerCommit, objects, commits.deviceWrites(), false);
  }

  @Override
  boolean readsLazily() {
    return lazyDeserialize.on();
  }
}
