package dev.weir.bench.cluster.options;

import dev.weir.bench.program.Usage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cell of an Excel sheet.
 *
 * @param row from 0 on
 * @param column from 0 on
 */
public record ExcelCell(int row, int column) {
  private static final Pattern ROW_COLUMN = Pattern.compile("(\\d{1,7})-(\\d{1,5})");
  private static final int MAX_ROW = 1_048_576;
  private static final int MAX_COLUMN = 16_382;

  /** Reads {@code ROW-COL}, both counted from 1. */
  public static ExcelCell parse(String option, String text, Usage usage) {
    Matcher matcher = ROW_COLUMN.matcher(text);
    int row = 0;
    int column = 0;
    if (matcher.matches()) {
      row = Integer.parseInt(matcher.group(1));
      column = Integer.parseInt(matcher.group(2));
    }
    usage.check(
        row >= 1 && row <= MAX_ROW && column >= 1 && column <= MAX_COLUMN,
        option,
        text,
        "ROW-COL such as 2-3, rows 1 to " + MAX_ROW + ", columns 1 to " + MAX_COLUMN);
    return new ExcelCell(row - 1, column - 1);
  }
}
