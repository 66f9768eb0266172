package dev.weir.bench.cluster.options;

import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options for the Excel output, named as in the original benchmark. */
public final class OutputOptions {
  @Option(
      names = {"-O", "--outputFile"},
      paramLabel = "FILE",
      description = "Excel workbook (.xlsx) to write the result to; created if absent.")
  public Path outputFile;

  @Option(
      names = {"-C", "--outputCell"},
      paramLabel = "ROW-COL",
      description =
          "Where in the first sheet, both counted from 1: there and to the right of it go the 50th,"
              + " 99th and 99.9th percentile in us, or the throughput alone.")
  public String outputCell;

  @Option(
      names = {"-T", "--outputThroughput"},
      description = "Writes and prints the throughput instead of the latency.")
  public Flag outputThroughput = Flag.OFF;

  /** Whether there is anything to write to. */
  public boolean isAsked() {
    return outputFile != null;
  }

  void check(Usage usage) {
    usage.check(
        (outputFile == null) == (outputCell == null),
        outputFile == null ? "--outputCell" : "--outputFile",
        outputFile == null ? outputCell : outputFile,
        "only together with " + (outputFile == null ? "--outputFile" : "--outputCell"));
    if (outputFile != null) {
      usage.check(
          outputFile.toString().endsWith(".xlsx"), "--outputFile", outputFile, "a name in .xlsx");
      cell(usage);
    }
  }

  /** The cell; refused if the text does not name one. */
  public ExcelCell cell(Usage usage) {
    return ExcelCell.parse("--outputCell", outputCell, usage);
  }
}
