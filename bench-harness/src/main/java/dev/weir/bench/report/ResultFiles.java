package dev.weir.bench.report;

import dev.weir.bench.record.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The files of a run in one directory: {@value #JSON}, {@value #CSV}, {@value HtmlReport#FILE_NAME}
 * and a percentile file for each recorded latency, with {@value #FAILED} appended to its name if
 * the row failed.
 */
public final class ResultFiles {
  /** The stable result file. */
  public static final String JSON = "results.json";

  /** The rows for a spreadsheet. */
  public static final String CSV = "results.csv";

  /** What the name of a failed row's percentile file ends with. */
  public static final String FAILED = ".FAIL";

  private final Path directory;

  /** Files in the directory, which is created when needed. */
  public ResultFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * Creates the directory and removes the results of an earlier run, so that nobody takes them for
   * new ones.
   */
  public void prepare() throws IOException {
    Files.createDirectories(directory);
    Files.deleteIfExists(directory.resolve(JSON));
    Files.deleteIfExists(directory.resolve(CSV));
    Files.deleteIfExists(directory.resolve(HtmlReport.FILE_NAME));
  }

  /** Writes all files. */
  public void write(Results results) throws IOException {
    for (Row row : results.rows()) {
      for (Map.Entry<String, Histogram> latency : row.histograms().entrySet()) {
        writeHgrm(row, latency.getKey(), latency.getValue());
      }
    }
    Files.writeString(directory.resolve(CSV), ResultsCsv.write(results.rows()));
    Path json = directory.resolve(JSON);
    Files.writeString(json, ResultsJson.write(results));
    HtmlReport.write(json, directory.resolve(HtmlReport.FILE_NAME));
  }

  private void writeHgrm(Row row, String name, Histogram histogram) throws IOException {
    String suffix = name.isEmpty() ? "" : "_" + name;
    Path good = directory.resolve(row.id() + suffix + ".hgrm");
    Path bad = directory.resolve(good.getFileName() + FAILED);
    Files.deleteIfExists(good);
    Files.deleteIfExists(bad);
    Recording.writeHgrm(histogram, row.verdict().failed() ? bad : good);
  }
}
