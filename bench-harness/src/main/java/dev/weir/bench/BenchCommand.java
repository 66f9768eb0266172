package dev.weir.bench;

import dev.weir.bench.env.Environment;
import dev.weir.bench.program.Usage;
import dev.weir.bench.report.BenchmarkReport;
import dev.weir.bench.report.Forks;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.ResultFiles;
import dev.weir.bench.report.Results;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command line of a bench module. A module names its suite and its scenarios; the harness adds
 * its own scenario, {@value HarnessScenario#NAME}, and runs them on a {@link Rig}. A subclass may
 * add picocli options as fields. Use an instance once.
 */
public abstract class BenchCommand implements Callable<Integer> {
  private static final String TEMPLATE = "report.template";

  @ArgGroup private ProfileChoice choice = new ProfileChoice();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description = "Run only this scenario; may be repeated. The report is not published then.")
  private List<String> selected = List.of();

  @Option(names = "--list", description = "List the scenarios and end.")
  private boolean list;

  @Option(names = "--json", paramLabel = "FILE", description = "Write results.json here as well.")
  private Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory of all results; by default target/bench of the module.")
  private Path outputDir;

  @Option(
      names = "--no-publish",
      description =
          "Do not write BENCHMARK.txt; the same as -D" + RigOptions.PUBLISH_PROPERTY + "=false")
  private boolean noPublish;

  @Option(
      names = "--forks",
      paramLabel = "COUNT",
      defaultValue = "${sys:" + RigOptions.FORKS_PROPERTY + ":-3}",
      description =
          "Share the rounds of the scenarios of page one among so many JVMs, one after another, 1"
              + " to 11; 3 by default, or -D"
              + RigOptions.FORKS_PROPERTY
              + "=COUNT. Rows state the confidence interval over the JVMs.")
  private int forks;

  @Option(
      names = "--this-jvm",
      description =
          "Measure in this JVM. Otherwise one that was started without -X flags starts another with"
              + " the flags that the module is measured with.")
  private boolean thisJvm;

  @Option(names = ForkedRuns.JVM, hidden = true, defaultValue = "1")
  private int jvm;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A value for scenarios that ask for it; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Spec private CommandSpec spec;

  private PrintStream out = System.out;

  /** One of the two profiles. */
  private static final class ProfileChoice {
    @Option(names = "--quick", description = "The quick profile, the default.")
    private boolean quick;

    @Option(names = "--full", description = "The full profile: as long as a stable figure needs.")
    private boolean full;
  }

  /** Name of the module: in results, in the report and in messages. */
  protected abstract String suite();

  /**
   * The scenarios in the order they run. After them run those that the class path has as services
   * for {@link Scenario}, which the profile {@code peers} of a module adds.
   */
  protected abstract List<Scenario> scenarios();

  /** Name and version of what is measured; none by default. */
  protected Map<String, String> versions() {
    return Map.of();
  }

  /** Further programs by name, each a picocli command of its own; none by default. */
  protected Map<String, Callable<Integer>> programs() {
    return Map.of();
  }

  /** Runs the command on the standard streams and returns one of {@link ExitCodes}. */
  public final int execute(String... args) {
    return execute(System.out, System.err, args);
  }

  /** Runs the command on these streams and returns one of {@link ExitCodes}. */
  public final int execute(PrintStream newOut, PrintStream err, String... args) {
    out = newOut;
    String version = getClass().getPackage().getImplementationVersion();
    CommandLine line = new CommandLine(this);
    // Command lines of their own: picocli applies a model transformer only to what it is given so.
    programs().forEach((name, program) -> line.addSubcommand(name, new CommandLine(program)));
    line.addSubcommand(CompareCommand.NAME, new CommandLine(new CompareCommand()));
    line.getCommandSpec()
        .name(suite())
        .version(suite() + " " + (version == null ? "development" : version))
        .mixinStandardHelpOptions(true);
    return line.setParameterExceptionHandler(BenchCommand::usageError)
        .setExecutionExceptionHandler(BenchCommand::couldNotRun)
        .setOut(new PrintWriter(newOut, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private static int usageError(CommandLine.ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    line.getErr().println(line.getCommandName() + ": " + e.getMessage() + " (see --help)");
    return ExitCodes.USAGE;
  }

  private static int couldNotRun(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
    if (e instanceof UnknownScenarioException) {
      line.getErr().println(line.getCommandName() + ": " + e.getMessage());
      return ExitCodes.USAGE;
    }
    line.getErr().println(line.getCommandName() + ": could not run: " + e);
    if (!(e instanceof IOException)) {
      e.printStackTrace(line.getErr());
    }
    return ExitCodes.COULD_NOT_RUN;
  }

  /** Called by {@link #execute}: lists the scenarios or runs them. */
  @Override
  public final Integer call() throws IOException, InterruptedException {
    new Usage(spec.commandLine()).range("--forks", forks, 1, Forks.MOST);
    List<Scenario> all = new ArrayList<>();
    all.add(new HarnessScenario());
    all.addAll(scenarios());
    ServiceLoader.load(Scenario.class).forEach(all::add);
    if (list) {
      all.stream()
          .map(Scenario::about)
          .forEach(about -> out.println(about.name() + ": " + about.description()));
      return ExitCodes.OK;
    }
    List<Scenario> chosen = selected.isEmpty() ? ofProfile(all, profile()) : selected(all);
    ModuleJvm module = ModuleJvm.of(CodeLocation.of(getClass()));
    return module.isMissing() && !thisJvm
        ? module.run(spec.commandLine().getParseResult().originalArgs(), out)
        : run(chosen);
  }

  /** The scenarios that the profile runs when none is named. */
  static List<Scenario> ofProfile(List<Scenario> all, Profile profile) {
    return all.stream()
        .filter(scenario -> profile == Profile.FULL || scenario.about().isQuick())
        .toList();
  }

  private Profile profile() {
    return choice.full ? Profile.FULL : Profile.QUICK;
  }

  /** The selected scenarios, in the order of the suite. */
  private List<Scenario> selected(List<Scenario> all) {
    List<String> known = all.stream().map(scenario -> scenario.about().name()).toList();
    for (String name : selected) {
      if (!known.contains(name)) {
        throw new UnknownScenarioException(
            "unknown scenario '" + name + "'; there are: " + String.join(", ", known));
      }
    }
    return all.stream().filter(scenario -> selected.contains(scenario.about().name())).toList();
  }

  private static final class UnknownScenarioException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnknownScenarioException(String message) {
      super(message);
    }
  }

  private int run(List<Scenario> scenarios) throws IOException, InterruptedException {
    Path location = CodeLocation.of(getClass());
    Path directory = outputDir == null ? CodeLocation.outputDir(location) : outputDir;
    RigOptions options =
        RigOptions.of(suite(), profile(), directory)
            .settings(settings())
            .template(template())
            .jvm(jvm, forks)
            .publishTo(reportFile(location));
    Environment environment = Environment.capture(location, versions());
    Results results =
        new Rig(options, environment, out, Progress.on(out))
            .run(scenarios, () -> again(scenarios, directory));
    if (json != null) {
      copyJson(directory.resolve(ResultFiles.JSON));
    }
    return results.ok() ? ExitCodes.OK : ExitCodes.VERDICT_FAILED;
  }

  /** Runs the scenarios of page one in further JVMs, if this is the first one. */
  private List<Path> again(List<Scenario> scenarios, Path directory)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--" + profile()));
    settings().forEach((name, value) -> arguments.addAll(List.of("--set", name + "=" + value)));
    scenarios.stream()
        .map(Scenario::about)
        .filter(Scenario.About::isHeadline)
        .forEach(about -> arguments.addAll(List.of("--scenario", about.name())));
    List<Path> files = new ArrayList<>();
    if (jvm == 1 && arguments.contains("--scenario")) {
      ForkedRuns further = new ForkedRuns(getClass(), out);
      for (int number = 2; number <= forks; number++) {
        files.add(further.run(number, forks, arguments, directory));
      }
    }
    return files;
  }

  /** What the command line gives, and the scale of the system property if it gives none. */
  private Map<String, String> settings() {
    Map<String, String> all = new LinkedHashMap<>(settings);
    String scale = System.getProperty(RigOptions.SCALE_PROPERTY);
    if (scale != null) {
      all.putIfAbsent(RunContext.SCALE, scale);
    }
    return all;
  }

  /** What the module shows in the report, from the file beside its command. */
  private List<String> template() throws IOException {
    try (InputStream in = getClass().getResourceAsStream(TEMPLATE)) {
      return in == null
          ? List.of()
          : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** A run of some scenarios must not replace the published section of all. */
  private Path reportFile(Path location) {
    boolean publish = selected.isEmpty() && !noPublish && RigOptions.publishAllowed();
    return publish ? BenchmarkReport.locate(location).orElse(null) : null;
  }

  private void copyJson(Path written) throws IOException {
    Path target = json.toAbsolutePath();
    if (!target.equals(written.toAbsolutePath())) {
      Files.createDirectories(target.getParent());
      Files.copy(written, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
