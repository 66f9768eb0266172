package dev.weir.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as they are written: no more digits than were measured. */
final class Figures {
  private static final double WHOLE_FROM = 1000;
  private static final double ONE_DECIMAL_FROM = 10;
  private static final int DECIMALS = 3;

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
    return size >= ONE_DECIMAL_FROM ? "%.1f" : "%.2f";
  }
}
