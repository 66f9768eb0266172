package dev.weir.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as they are written: no more digits than were measured. */
final class Figures {
  private static final double WHOLE_FROM = 1000;
  private static final double ONE_DECIMAL_FROM = 10;
  private static final int DECIMALS = 3;

  /** Two decimals of less would be a single digit. */
  private static final double TWO_DECIMALS_FROM = 0.0995;

  /** What is less is zero with three decimals too. */
  private static final double LEAST_FRACTION = 0.0005;

  private Figures() {}

  /** For machines: a whole number from 1000 on, three decimals below; null if not finite. */
  static Number rounded(double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    if (Math.abs(value) >= WHOLE_FROM) {
      return Math.round(value);
    }
    BigDecimal decimal =
        BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP).stripTrailingZeros();
    return decimal.scale() <= 0 ? (Number) decimal.longValue() : decimal.doubleValue();
  }

  /** With two decimals; with two digits if it is below a tenth. */
  static String fraction(double value) {
    return String.format(Locale.ROOT, fractionFormat(Math.abs(value)), value);
  }

  private static String fractionFormat(double size) {
    return size >= TWO_DECIMALS_FROM || size < LEAST_FRACTION ? "%.2f" : "%.3f";
  }

  /** For people: thousands separated; decimals of a fraction so that three digits show. */
  static String text(Object value) {
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return String.format(Locale.ROOT, format(Math.abs(number)), number);
    }
    return value instanceof Number
        ? String.format(Locale.ROOT, "%,d", ((Number) value).longValue())
        : String.valueOf(value);
  }

  private static String format(double size) {
    if (size >= WHOLE_FROM) {
      return "%,.0f";
    }
    return size >= ONE_DECIMAL_FROM ? "%.1f" : fractionFormat(size);
  }
}
