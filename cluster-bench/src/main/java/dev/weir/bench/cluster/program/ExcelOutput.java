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

/** Puts figures into a workbook that may hold others already. */
final class ExcelOutput {
  private static final String SHEET = "results";

  private final Path file;
  private final ExcelCell cell;

  /**
   * Output to this cell and those to the right of it, in the first sheet.
   *
   * @param file created if absent
   */
  ExcelOutput(Path file, ExcelCell cell) {
    this.file = file.toAbsolutePath();
    this.cell = cell;
  }

  /**
   * Finds out before a long run what would fail after it.
   *
   * @throws IOException if the file is there and is no workbook, or its directory is not there
   */
  void check() throws IOException {
    if (!Files.isDirectory(file.getParent())) {
      throw new IOException("there is no directory " + file.getParent());
    }
    open().close();
  }

  /** Writes the figures; the file is replaced as a whole or stays as it was. */
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
      // POI tells by exceptions of many types that a file is none of its own.
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
