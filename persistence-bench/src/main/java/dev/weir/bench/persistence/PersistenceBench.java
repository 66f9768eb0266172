package dev.weir.bench.persistence;

import com.sleepycat.je.JEVersion;
import dev.weir.bench.BenchCommand;
import dev.weir.bench.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Measures how messages are kept on disk; see {@code --help}. */
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
        new RecoveryScenario());
  }

  @Override
  protected Map<String, Callable<Integer>> programs() {
    Map<String, Callable<Integer>> programs = new LinkedHashMap<>();
    programs.put(MessageLogger.NAME, new MessageLogger());
    programs.put(PacketLogger.NAME, new PacketLogger());
    programs.put(StoreLogger.NAME, new StoreLogger());
    return programs;
  }

  @Override
  protected Map<String, String> versions() {
    Map<String, String> versions = Versions.ofLibraries();
    versions.put("je", JEVersion.CURRENT_VERSION.getNumericVersionString());
    return versions;
  }
}
