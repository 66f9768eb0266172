package dev.weir.bench.cluster.program;

import dev.weir.bench.cluster.options.ExcelCell;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;

/** Writes figures into an Excel workbook and keeps what it already contains. */
final class ExcelOutput {
  private static final String SHEET = "results";

  private final Path file;
  private final ExcelCell cell;

  /**
   * Output into this cell of the first sheet and the cells to the right of it.
   *
   * @param file created if absent
   */
  ExcelOutput(Path file, ExcelCell cell) {
    this.file = file.toAbsolutePath();
    this.cell = cell;
  }

  /**
   * Checks before a long run that the output can be written after it.
   *
   * @throws IOException if the file exists and is no workbook, or its directory does not exist
   */
  void check() throws IOException {
    if (!Files.isDirectory(file.getParent())) {
      throw new IOException("there is no directory " + file.getParent());
    }
    open().close();
  }

  /** Writes the figures. On failure the file stays as it was. */
  void write(double... figures) throws IOException {
    Path temporary = Files.createTempFile(file.getParent(), "weir-", ".xlsx");
    try {
      try (XSSFWorkbook workbook = open();
          OutputStream out = Files.newOutputStream(temporary)) {
        put(workbook, figures);
        workbook.write(out);
      }
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private XSSFWorkbook open() throws IOException {
    if (!Files.exists(file)) {
      return new XSSFWorkbook();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new XSSFWorkbook(in);
    } catch (IOException | RuntimeException e) {
      // POI throws many types of exceptions for a file that is no workbook.
      throw new IOException(file + " is no Excel workbook (.xlsx): " + e.getMessage(), e);
    }
  }

  private void put(XSSFWorkbook workbook, double[] figures) {
    Sheet sheet =
        workbook.getNumberOfSheets() == 0 ? workbook.createSheet(SHEET) : workbook.getSheetAt(0);
    Row row = sheet.getRow(cell.row());
    if (row == null) {
      row = sheet.createRow(cell.row());
    }
    for (int i = 0; i < figures.length; i++) {
      row.createCell(cell.column() + i).setCellValue(figures[i]);
    }
  }
}
