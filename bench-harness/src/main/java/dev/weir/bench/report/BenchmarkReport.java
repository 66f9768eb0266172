package dev.weir.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * BENCHMARK.txt: page one, then a section for each module. The text is made from the result files
 * of one machine class in {@value #RESULTS}, and from nothing else. A module that publishes
 * replaces its own files there. A reader never sees half a file; two processes that publish at the
 * same moment may write a report without one of the two.
 */
public final class BenchmarkReport {
  /** The name of the report in the root of the project. */
  public static final String FILE_NAME = "BENCHMARK.txt";

  /** The directory of the result files, beside the report; a directory for each machine class. */
  public static final String RESULTS = "docs/results";

  /** The page of all modules, beside the report. */
  public static final String PAGE = "target/bench/" + HtmlReport.FILE_NAME;

  private static final String CSV = ".csv";

  private final Path file;

  /** The report in this file, which need not exist yet. */
  public BenchmarkReport(Path file) {
    this.file = file.toAbsolutePath();
  }

  /** The report of the checkout a path lies in: beside {@code .git} or where there is one yet. */
  public static Optional<Path> locate(Path insideCheckout) {
    Path dir = insideCheckout.toAbsolutePath().normalize();
    for (; dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve(FILE_NAME)) || Files.exists(dir.resolve(".git"))) {
        return Optional.of(dir.resolve(FILE_NAME));
      }
    }
    return Optional.empty();
  }

  /**
   * Replaces the result files of the module, and writes the report and the page of all modules
   * anew.
   *
   * @throws IOException if a file cannot be read or written: the message says which
   */
  public void publish(Results results) throws IOException {
    Path directory = file.resolveSibling(RESULTS).resolve(results.environment().machineClass());
    Files.createDirectories(directory);
    replace(directory.resolve(results.suite() + CSV), ResultsCsv.write(results.rows()));
    Path json = directory.resolve(results.suite() + PublishedRun.JSON);
    new ResultHistory(directory).keep(json, results.environment().gitCommit());
    replace(json, ResultsJson.write(results));
    replace(file, text(directory));
    HtmlReport.write(directory, file.resolveSibling(PAGE));
  }

  /** The whole report from the result files in the directory of a machine class. */
  public static String text(Path directory) throws IOException {
    List<PublishedRun> runs = PublishedRun.readAll(directory);
    ResultHistory history = new ResultHistory(directory);
    List<String> lines = new ArrayList<>();
    if (!runs.isEmpty()) {
      lines.addAll(PageOne.lines(directory.getFileName().toString(), runs));
    }
    for (PublishedRun run : runs) {
      lines.add("");
      lines.addAll(ModuleSection.lines(run, history.change(run).orElse("")));
    }
    List<String> peers = ModuleSection.peers(runs);
    if (!peers.isEmpty()) {
      lines.add("");
      lines.addAll(peers);
    }
    return String.join("\n", lines) + "\n";
  }

  private static void replace(Path file, String content) throws IOException {
    long pid = ProcessHandle.current().pid();
    Path temporary = file.resolveSibling(file.getFileName() + "." + pid + ".tmp");
    try {
      Files.writeString(temporary, content);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
