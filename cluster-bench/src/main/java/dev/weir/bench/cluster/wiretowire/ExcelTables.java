package dev.weir.bench.cluster.wiretowire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.util.WorkbookUtil;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;

/** Writes tables as an Excel workbook with a sheet for each of them. */
final class ExcelTables {
  private ExcelTables() {}

  /** Writes the workbook, in place of an earlier one. */
  static void write(Path file, List<ResultTable> tables) throws IOException {
    try (XSSFWorkbook workbook = new XSSFWorkbook();
        OutputStream out = Files.newOutputStream(file)) {
      for (ResultTable table : tables) {
        Sheet sheet = workbook.createSheet(WorkbookUtil.createSafeSheetName(table.title()));
        put(sheet.createRow(0), table.columns());
        for (int i = 0; i < table.rows().size(); i++) {
          put(sheet.createRow(i + 1), table.rows().get(i));
        }
      }
      workbook.write(out);
    }
  }

  private static void put(Row row, List<?> values) {
    for (int i = 0; i < values.size(); i++) {
      Cell cell = row.createCell(i);
      if (values.get(i) instanceof Number number) {
        cell.setCellValue(number.doubleValue());
      } else if (values.get(i) != null) {
        cell.setCellValue(values.get(i).toString());
      }
    }
  }
}
