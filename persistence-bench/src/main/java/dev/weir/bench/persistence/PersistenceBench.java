package dev.weir.bench.persistence;

import dev.weir.bench.BenchCommand;
import dev.weir.bench.Scenario;
import dev.weir.bench.persistence.documents.DocumentQueriesScenario;
import dev.weir.bench.persistence.documents.DocumentsScenario;
import dev.weir.bench.persistence.loggers.LoggersScenario;
import dev.weir.bench.persistence.program.LoggerProgram;
import dev.weir.bench.persistence.queue.CleanerScenario;
import dev.weir.bench.persistence.queue.QueueScenario;
import dev.weir.bench.persistence.queue.RecoveryScenario;
import dev.weir.bench.persistence.queue.SteadyScenario;
import dev.weir.bench.persistence.store.Versions;
import dev.weir.bench.persistence.store.je.JeMechanism;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Measures how messages and documents are kept on disk; see {@code --help}. */
public final class PersistenceBench extends BenchCommand {

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(new PersistenceBench().execute(args));
  }

  @Override
  protected String suite() {
    return "persistence-bench";
  }

  @Override
  protected List<Scenario> scenarios() {
    return List.of(
        new LoggersScenario(),
        new QueueScenario(),
        new CleanerScenario(),
        new SteadyScenario(),
        new RecoveryScenario(),
        new DocumentsScenario(),
        new DocumentQueriesScenario());
  }

  @Override
  protected Map<String, Callable<Integer>> programs() {
    return LoggerProgram.all();
  }

  @Override
  protected Map<String, String> versions() {
    Map<String, String> versions = Versions.ofLibraries();
    versions.put("je", JeMechanism.version());
    return versions;
  }
}
