package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.verify.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int execute(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--no-publish");
    all.add("--out=" + directory);
    return new SomeBench()
        .execute(
            new PrintStream(out, true), new PrintStream(err, true), all.toArray(String[]::new));
  }

  @Test
  void endsWithZeroWhenEveryVerdictIsOk() {
    assertThat(execute("--scenario", "good")).isEqualTo(ExitCodes.OK);
    assertThat(directory.resolve("results.json")).content().contains("\"profile\" : \"quick\"");
  }

  @Test
  void endsWithOneWhenAVerdictFailed() {
    assertThat(execute("--scenario", "good", "--scenario", "bad"))
        .isEqualTo(ExitCodes.VERDICT_FAILED);
    assertThat(out.toString()).contains("FAIL: lost 1");
  }

  @Test
  void endsWithThreeAndOneLineWhenItCannotRun() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(execute("--scenario=good", "--json=" + file.resolve("x.json"))).isEqualTo(3);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("some-bench: could not run: ");
  }

  @Test
  void anUnknownScenarioIsOneLineWithTheNames() {
    assertThat(execute("--scenario", "bda")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "some-bench: unknown scenario 'bda'; there are: harness, good, bad");
  }

  @Test
  void anUnknownOptionIsOneLineToo() {
    assertThat(execute("--fast")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("some-bench: Unknown option: '--fast' (see --help)");
  }

  @Test
  void quickAndFullExcludeEachOther() {
    assertThat(execute("--quick", "--full")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString()).contains("mutually exclusive");
  }

  @Test
  void runsTheFullProfileWhenAsked() {
    assertThat(execute("--full", "--scenario", "good")).isZero();
    assertThat(directory.resolve("results.json")).content().contains("\"profile\" : \"full\"");
  }

  @Test
  void theQuickProfileLeavesOutWhatOnlyTheFullOneHasTimeFor() {
    Scenario quick = FakeScenario.withVerdict("quick", Verdict.ok());
    Scenario full =
        new FakeScenario("full", context -> {}) {
          @Override
          public About about() {
            return About.fullOnly("full", "");
          }
        };
    List<Scenario> all = List.of(quick, full);
    assertThat(BenchCommand.ofProfile(all, Profile.QUICK)).containsExactly(quick);
    assertThat(BenchCommand.ofProfile(all, Profile.FULL)).containsExactly(quick, full);
  }

  @Test
  void takesTheScaleOfTheSystemPropertyUnlessTheCommandLineHasAnother() {
    System.setProperty(RigOptions.SCALE_PROPERTY, "0.5");
    try {
      assertThat(execute("--scenario", "good")).isZero();
      assertThat(directory.resolve("results.json")).content().contains("\"scale\" : 0.5");
      assertThat(execute("--scenario", "good", "--set", "scale=0.25")).isZero();
      assertThat(directory.resolve("results.json")).content().contains("\"scale\" : 0.25");
    } finally {
      System.clearProperty(RigOptions.SCALE_PROPERTY);
    }
  }

  @Test
  void writesACopyOfTheJsonWhereAsked() {
    Path copy = directory.resolve("deep/copy.json");
    assertThat(execute("--scenario", "good", "--json", copy.toString())).isZero();
    assertThat(copy).hasSameTextualContentAs(directory.resolve("results.json"));
  }

  @Test
  void listsTheScenariosWithoutRunningThem() {
    assertThat(execute("--list")).isZero();
    assertThat(out.toString()).contains("harness: ", "good: says good", "bad: says bad");
    assertThat(directory.resolve("results.json")).doesNotExist();
  }

  @Test
  void tellsHelpAndVersion() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("Usage: some-bench", "--scenario=NAME", "--json=FILE");
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).contains("some-bench development");
  }

  @Test
  void runsAProgramInsteadOfTheScenarios() {
    int exitCode =
        new SomeBench().execute(new PrintStream(out, true), new PrintStream(err, true), "answer");

    assertThat(exitCode).isEqualTo(42);
    assertThat(out.toString()).isEmpty();
  }

  private int compare(String... arguments) {
    List<String> all = new ArrayList<>(List.of("compare"));
    all.addAll(List.of(arguments));
    return new SomeBench()
        .execute(
            new PrintStream(out, true), new PrintStream(err, true), all.toArray(String[]::new));
  }

  private String results(String name, double... perSec) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(
        file,
        String.format(
            Locale.ROOT,
            "{\"suite\":\"s\",\"rows\":[{\"scenario\":\"rpc\",\"verdict\":\"OK\","
                + "\"opsPerSec\":{\"min\":%s,\"median\":%s,\"max\":%s}}]}",
            perSec[0],
            perSec[1],
            perSec[2]));
    return file.toString();
  }

  @Test
  void aComparisonEndsWithOneOnlyIfARowIsSlowerThanAllowed() throws IOException {
    String before = results("a.json", 100, 110, 120);
    String slower = results("b.json", 80, 85, 90);
    assertThat(compare(before, slower)).isZero();
    assertThat(compare(before, slower, "--fail-below", "0.9")).isEqualTo(1);
    assertThat(compare(before, slower, "--fail-below", "0.5")).isZero();
    assertThat(out.toString()).contains("rpc", "0.77", "slower").contains("0 faster, 1 slower");
  }

  @Test
  void aComparisonNamesTheFileAndTheOptionThatCannotBe() throws IOException {
    String sound = results("a.json", 100, 110, 120);
    Path none = Files.writeString(directory.resolve("none.json"), "{}");
    assertThat(compare(sound, none.toString())).isEqualTo(3);
    assertThat(compare(sound, directory.resolve("gone.json").toString())).isEqualTo(3);
    assertThat(compare(sound, sound, "--fail-below", "2")).isEqualTo(2);
    assertThat(err.toString())
        .contains("none.json is no result file: it has no rows", "gone.json")
        .contains("--fail-below is 2.0, allowed is above 0 and up to 1")
        .doesNotContain("\tat ");
  }

  @Test
  void resultsGoToTheModuleTheCodeWasBuiltIn() {
    assertThat(CodeLocation.outputDir(Path.of("/m/target/classes")))
        .isEqualTo(Path.of("/m/target/bench"));
    assertThat(CodeLocation.outputDir(Path.of("/m/target/m.jar")))
        .isEqualTo(Path.of("/m/target/bench"));
    assertThat(CodeLocation.outputDir(Path.of("/opt/m.jar")).endsWith("target/bench")).isTrue();
  }

  @CommandLine.Command
  private static final class Answer implements Callable<Integer> {
    @Override
    public Integer call() {
      return 42;
    }
  }

  private static final class SomeBench extends BenchCommand {
    @Override
    protected Map<String, Callable<Integer>> programs() {
      return Map.of("answer", new Answer());
    }

    @Override
    protected String suite() {
      return "some-bench";
    }

    @Override
    protected List<Scenario> scenarios() {
      return List.of(
          FakeScenario.withVerdict("good", Verdict.ok()),
          FakeScenario.withVerdict("bad", Verdict.fail("lost 1")));
    }
  }
}
