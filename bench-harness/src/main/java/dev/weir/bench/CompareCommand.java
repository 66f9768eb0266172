package dev.weir.bench;

import dev.weir.bench.program.Usage;
import dev.weir.bench.report.Comparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two results, for people and for build servers. */
@Command(
    name = CompareCommand.NAME,
    mixinStandardHelpOptions = true,
    description =
        "Compare two result files, or two directories of them, row by row. A row is faster or"
            + " slower if the rounds say so (Mann-Whitney, p up to 0.1); otherwise there is no"
            + " difference. Exit codes: 0 no row is below --fail-below, 1 one is, or fails, 2 bad"
            + " usage, 3 a file cannot be read.")
final class CompareCommand implements Callable<Integer> {
  static final String NAME = "compare";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A.json", description = "The results before.")
  private Path before;

  @Parameters(index = "1", paramLabel = "B.json", description = "The results after.")
  private Path after;

  @Option(
      names = "--fail-below",
      paramLabel = "RATIO",
      description =
          "End with exit code 1 if a row is slower and has less than this share of its throughput,"
              + " above 0 and up to 1; or if a row fails. Without it only the table is printed.")
  private Double failBelow;

  @Override
  public Integer call() throws IOException {
    new Usage(spec.commandLine())
        .check(
            failBelow == null || failBelow > 0 && failBelow <= 1,
            "--fail-below",
            failBelow,
            "above 0 and up to 1");
    Comparison comparison = Comparison.of(before, after);
    comparison.lines().forEach(spec.commandLine().getOut()::println);
    return failBelow != null && comparison.isBelow(failBelow)
        ? ExitCodes.VERDICT_FAILED
        : ExitCodes.OK;
  }
}
