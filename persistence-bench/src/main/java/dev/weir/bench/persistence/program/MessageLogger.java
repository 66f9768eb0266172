package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.program.Usage;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The program {@code message-logger}. */
@Command(
    description =
        "Persists single messages: a put for each, --numPerCommit of them in a transaction.")
public final class MessageLogger extends LoggerProgram {
  @Mixin LoggerOptions.Commits commits = new LoggerOptions.Commits();

  @Override
  public Map<String, String> shortNames() {
    return Map.of("--logLocation", "-k", "--logMode", "-m");
  }

  @Override
  void check(Usage usage) {
    commits.check(usage);
  }

  @Override
  LogSpec log() {
    return log(Shape.MESSAGE, commits.numPerCommit, 1, commits.deviceWrites(), false);
  }
}
