package dev.weir.bench.cluster.wiretowire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.wiretowire.WireToWireCase.Threads;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.processor.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WireToWireTableTest {
  private final WireToWireTable table = new WireToWireTable();

  private static WireToWireCase one(CpuConfig config) {
    return WireToWireCase.all().stream()
        .filter(one -> one.config() == config && one.asked() == Threads.CONFIGURED)
        .filter(one -> one.encoding() == Encoding.SBE_DIRECT)
        .filter(one -> one.measured() == OptimizeFor.THROUGHPUT)
        .findFirst()
        .orElseThrow();
  }

  private static Row row(double perSec) {
    return Row.of("wire-to-wire")
        .opsPerSec(Spread.of(perSec))
        .extra(WireToWireScenario.CPUS, 1)
        .verdict(Verdict.ok());
  }

  private ResultTable direct() {
    return table.tables().get(0);
  }

  private static Object cell(ResultTable of, int row, String column) {
    return of.rows().get(row).get(of.columns().indexOf(column));
  }

  @Test
  void aCaseForWhichThereAreTooFewCpusIsARowThatSaysSo() {
    table.add(one(CpuConfig.DEFAULT), row(300_000));
    table.addNotRun(one(CpuConfig.MAXCPU));

    assertThat(direct().title()).isEqualTo("direct access, throughput");
    assertThat(cell(direct(), 1, "remark")).isEqualTo("not run: needs 9 CPUs");
    assertThat(cell(direct(), 1, "messages/s")).isNull();
    assertThat(table.lines()).anyMatch(line -> line.endsWith("not run: needs 9 CPUs"));
  }

  @Test
  void aRowIsComparedWithTheBestOfXPlatformAndThePublishedRowsStandBelow() {
    Row row = row(423_000);
    table.add(one(CpuConfig.DEFAULT), row);

    assertThat(row.extra()).containsEntry("vs X Platform %", 50L);
    assertThat(cell(direct(), 0, "vs X Platform %")).isEqualTo(50L);
    assertThat(cell(direct(), 0, "# CPUs")).isEqualTo(1);
    assertThat(direct().rows()).hasSize(5);
    assertThat(cell(direct(), 3, "system")).isEqualTo(Published.RUMI);
    assertThat(cell(direct(), 3, "CPU config")).isEqualTo("maxcpu");
    assertThat(cell(direct(), 3, "# CPUs")).isEqualTo(6);
    assertThat(cell(direct(), 3, "vs X Platform %")).isEqualTo(293);
  }

  @Test
  void theBestConfigurationIsOneThatKeptItsPromises() {
    table.add(one(CpuConfig.MINCPU), row(500_000).verdict(Verdict.fail("one is lost")));
    table.add(one(CpuConfig.DEFAULT), row(300_000));
    ResultTable best = table.tables().get(1);

    assertThat(best.rows()).hasSize(1);
    assertThat(cell(best, 0, "Weir")).isEqualTo(300_000.0);
    assertThat(cell(best, 0, "Weir's configuration")).isEqualTo("es tcp default");
    assertThat(cell(best, 0, "vs X Platform %")).isEqualTo(6L);
    assertThat(cell(best, 0, "vs Rumi %")).isEqualTo(-30L);
    assertThat(cell(best, 0, Published.RUMI)).isEqualTo(428_029.0);
  }

  private static WireToWireCase latency(CpuConfig config) {
    return WireToWireCase.all().stream()
        .filter(one -> one.config() == config && one.asked() == Threads.CONFIGURED)
        .filter(one -> one.encoding() == Encoding.SBE_DIRECT)
        .filter(one -> one.measured() == OptimizeFor.LATENCY)
        .findFirst()
        .orElseThrow();
  }

  /** A row of so many microseconds, and of others at p99. */
  private static Row row(long p50Us, long p99Us) {
    Recording recording = Recording.singleWriter();
    for (int i = 0; i < 10_000; i++) {
      recording.record(1_000 * (i < 9_800 ? p50Us : p99Us));
    }
    return row(10_000).latency(recording);
  }

  @Test
  void theBestLatencyIsTheLeastP99OfARowThatNothingSpeaksAgainst() {
    table.add(
        latency(CpuConfig.MINCPU),
        row(10, 20).verdict(Verdict.of(Verdict.Kind.SUSPECT, "p99 is too good")));
    table.add(latency(CpuConfig.DEFAULT), row(60, 90));
    table.add(latency(CpuConfig.MAXCPU), row(30, 900));
    ResultTable best = table.tables().get(1);

    assertThat(cell(best, 0, "Weir's configuration")).isEqualTo("es tcp default");
    assertThat((Double) cell(best, 0, "Weir")).isBetween(59.0, 61.0);
  }

  /** Slow because the classes of a workbook take seconds to load. */
  @Tag("slow")
  @Test
  void theWorkbookHasASheetForEachTable(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("tables.xlsx"), "of an earlier run");
    table.add(one(CpuConfig.DEFAULT), row(300_000));
    table.addNotRun(one(CpuConfig.MAXCPU));

    ExcelTables.write(file, table.tables());

    try (InputStream in = Files.newInputStream(file);
        XSSFWorkbook workbook = new XSSFWorkbook(in)) {
      List<String> columns = direct().columns();
      Sheet sheet = workbook.getSheet("direct access, throughput");
      int figures = columns.indexOf("messages/s");
      assertThat(sheet.getRow(0).getCell(figures).getStringCellValue()).isEqualTo("messages/s");
      assertThat(sheet.getRow(1).getCell(figures).getNumericCellValue()).isEqualTo(300_000);
      assertThat(sheet.getRow(2).getCell(columns.indexOf("remark")).getStringCellValue())
          .isEqualTo("not run: needs 9 CPUs");
      assertThat(workbook.getSheet("best configurations").getLastRowNum()).isEqualTo(1);
    }
  }
}
