package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Tally;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkedRunsTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int execute(String... arguments) {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Bench().execute(stream, stream, arguments);
  }

  @Test
  @Tag("slow")
  void aHeadlineIsMeasuredInSoManyJvmsAndOtherScenariosInOne() throws IOException {
    int exitCode =
        execute(
            "--forks",
            "2",
            "--scenario",
            "headline",
            "--scenario",
            "other",
            "--no-publish",
            "--out",
            directory.toString());
    assertThat(exitCode).as(out.toString()).isZero();
    String json = Files.readString(directory.resolve("results.json"));
    assertThat(json).containsOnlyOnce("\"JVMs\" : 2").contains("\"ci95%\"");
    String second = Files.readString(directory.resolve("jvm-2/results.json"));
    assertThat(second).contains("headline").doesNotContain("other");
  }

  @Test
  void aCountThatCannotBeIsABadUsage() {
    assertThat(execute("--forks", "12")).isEqualTo(ExitCodes.USAGE);
    assertThat(out.toString()).contains("--forks is 12, allowed is 1 to 11");
  }

  @Test
  void whatWasStartedFromAJarIsStartedFromItAgainByWhateverPath() throws IOException {
    Path jar = Files.createFile(directory.resolve("some.jar"));
    for (String path : List.of(jar.toString(), directory + "/./some.jar")) {
      assertThat(ForkedRuns.program(jar, path, "Main")).containsExactly("-jar", path);
    }
    String two = jar + File.pathSeparator + directory;
    assertThat(ForkedRuns.program(jar, two, "Main")).containsExactly("-cp", two, "Main");
    String classes = directory.toString();
    assertThat(ForkedRuns.program(directory, classes, "Main"))
        .containsExactly("-cp", classes, "Main");
  }

  /** A command with a main method, as bench modules have it. */
  public static final class Bench extends BenchCommand {
    /** Runs the command. */
    public static void main(String[] args) {
      System.exit(new Bench().execute(args));
    }

    @Override
    protected String suite() {
      return "some-bench";
    }

    @Override
    protected List<Scenario> scenarios() {
      return List.of(
          new Fixed(Scenario.About.headline("headline", "a fixed figure")),
          new Fixed(Scenario.About.of("other", "a fixed figure")));
    }
  }

  @Test
  @Tag("slow")
  void threeJvmsShareTheRoundsOfAHeadline() throws IOException {
    execute("--scenario", "headline", "--no-publish", "--out", directory.toString());
    String json = Files.readString(directory.resolve("results.json"));
    assertThat(json).contains("\"JVMs\" : 3").contains("\"rounds\" : 9,");
    assertThat(Files.readString(directory.resolve("jvm-3/results.json")))
        .contains("\"rounds\" : 3,");
  }

  private record Fixed(About about) implements Scenario {
    @Override
    public void run(RunContext context) throws Exception {
      Rounds rounds = context.rounds();
      Rounds.Round round = () -> RoundResult.closedLoop(Tally.complete(1_000), 500_000_000L);
      context.report(context.row(rounds.measure(about.name(), round)));
    }
  }
}
