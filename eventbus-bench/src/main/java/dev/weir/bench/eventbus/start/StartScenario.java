package dev.weir.bench.eventbus.start;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Starts the fat jar of echo as a user does. */
public final class StartScenario implements Scenario {
  static final String NAME = "start";

  /** Setting: the jar. */
  static final String JAR = "start.jar";

  private static final String BUILT = "services/echo/target/echo.jar";
  private static final String PATH = "/services/echo.two-way";
  private static final int QUICK_ROUNDS = 3;
  private static final int FULL_ROUNDS = 20;
  private static final double MIB = 1 << 20;

  /** How a program is started, from the floor up. */
  enum Way {
    BARE("bare", "plain"),
    PLAIN("echo", "plain"),
    ARCHIVE("echo", "archive"),
    SMALL("echo", "archive-small");

    private static final List<String> FRUGAL =
        List.of("-Xms16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final String path;
    private final String caseName;

    Way(String path, String caseName) {
      this.path = path;
      this.caseName = caseName;
    }

    private List<String> flags(Path archive) {
      List<String> flags = new ArrayList<>();
      if (this == ARCHIVE || this == SMALL) {
        flags.add("-XX:SharedArchiveFile=" + archive);
      }
      if (this == SMALL) {
        flags.addAll(FRUGAL);
      }
      return flags;
    }
  }

  @Override
  public About about() {
    return About.of(
        NAME,
        "Starts echo.jar as a user does, a process each time, from the process to the answer of the"
            + " first request; the ways take turns. plain: no flags. archive: with an archive of"
            + " its classes, made once by -XX:ArchiveClassesAtExit. archive-small: "
            + String.join(" ", Way.FRUGAL)
            + " too. bare: an HTTP server of Vert.x, from the same jar where there is one, no"
            + " flags. xBare: time over that of bare in the same round, the median. memory: what"
            + " the process has of the machine after the first answer.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    Path jar = context.option(JAR).map(Path::of).orElseGet(StartScenario::built);
    List<Way> ways = List.of(Way.values());
    if (!Files.isRegularFile(jar)) {
      ways = List.of(Way.BARE);
      context.note(
          "start of echo was not measured: there is no file "
              + jar
              + "; mvn package -pl services/echo -DskipTests makes it, and --set "
              + JAR
              + "=FILE names another");
    }
    try (DataDirectory data = context.dataDirectory()) {
      measure(context, ways, jar, data.path());
    }
  }

  private static void measure(RunContext context, List<Way> ways, Path jar, Path data)
      throws IOException, InterruptedException {
    Path archive = data.resolve("classes.jsa");
    Verdict archived = Verdict.ok();
    if (ways.contains(Way.ARCHIVE)) {
      // Reads all files once, too.
      start(jar, data, List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:cds*=off"), Way.PLAIN);
      archived = archived.unless(Files.exists(archive), "no archive was made");
    }
    start(jar, data, List.of(), Way.BARE);
    Map<Way, List<ProgramStart>> starts = new EnumMap<>(Way.class);
    int rounds = context.profile().pick(QUICK_ROUNDS, FULL_ROUNDS);
    for (int i = 0; i < rounds; i++) {
      for (Way way : ways) {
        starts
            .computeIfAbsent(way, first -> new ArrayList<>())
            .add(start(jar, data, way.flags(archive), way));
      }
    }
    Spread bareMs = readyMs(starts.get(Way.BARE));
    for (Way way : ways) {
      Row row = row(context, way, starts.get(way), bareMs).and(archived);
      context.report(way == Way.BARE ? row : row.extra("jarMiB", Files.size(jar) / MIB));
    }
  }

  /** Of a run in the directory of the project, or in that of the module. */
  private static Path built() {
    Path below = Path.of("..").resolve(BUILT);
    return Files.isRegularFile(below) ? below : Path.of(BUILT);
  }

  private static ProgramStart start(Path jar, Path data, List<String> flags, Way way)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(flags);
    if (way == Way.BARE) {
      String own = System.getProperty("java.class.path");
      arguments.addAll(List.of("-cp", jar + File.pathSeparator + own, BareProgram.class.getName()));
    } else {
      Path directory = Files.createTempDirectory(data, "store");
      arguments.addAll(List.of("-jar", jar.toString(), "--http-port=0", "--data=" + directory));
    }
    return ProgramStart.of(arguments, PATH);
  }

  private static Row row(RunContext context, Way way, List<ProgramStart> starts, Spread bareMs) {
    Verdict verdict = Verdict.ok();
    for (ProgramStart start : starts) {
      verdict = verdict.unless(start.exitCode() == exitCode(way), "exit code " + start.exitCode());
    }
    Spread readyMs = readyMs(starts);
    Row row =
        context
            .row()
            .caseName(way.caseName)
            .path(way.path)
            .rounds(starts.size())
            .extra(
                Doubts.MEASURED_MS,
                readyMs.rounds().stream().mapToDouble(Double::doubleValue).sum())
            .extra("readyMs", readyMs.toMap())
            .column("ready ms", readyMs.median())
            .extra("memoryMiB", spread(starts, s -> s.residentBytes() / MIB).toMap())
            .extra("childFlags", way.flags(Path.of("classes.jsa")))
            .extra("processes", 1)
            .verdict(verdict);
    return way == Way.BARE ? row : row.ratio("xBare", readyMs.over(bareMs));
  }

  /** After SIGTERM echo drains and says 0; the bare program has no say. */
  private static int exitCode(Way way) {
    return way == Way.BARE ? 128 + 15 : 0;
  }

  private static Spread readyMs(List<ProgramStart> starts) {
    return spread(starts, start -> (double) start.readyNs() / TimeUnit.MILLISECONDS.toNanos(1));
  }

  private static Spread spread(List<ProgramStart> starts, ToDoubleFunction<ProgramStart> figure) {
    return Spread.of(starts.stream().mapToDouble(figure).toArray());
  }
}
