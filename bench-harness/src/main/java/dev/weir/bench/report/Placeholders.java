package dev.weir.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts figures of rows into lines of text. A placeholder names a row and a figure: {@code {pool
 * rate}}, or {@code per} for the same without "/s", {@code {pool p99}}, {@code {pool spread}},
 * {@code {pool ci}}, {@code {pool minmax}}, {@code {pool why}} or {@code {pool why 15}} in so many
 * columns, {@code {pool mark}}; {@code {kill ms extra.outageMs.median}}, with {@code us}, {@code
 * x}, {@code n}, {@code percent} (with sign and {@code %}) or {@code text} instead of {@code ms}; a
 * ratio of the row and its range, {@code {pool ratio xRaw}}; the ratio of two rows, {@code
 * {pool/bare}} or {@code {pool/bare p99}}; the time that one takes longer, {@code {pool-bare}}. A
 * width may follow: {@code {pool rate|12}} stands right, {@code |-12} left. A figure of a row that
 * is not OK ends with the mark of its verdict; one that is not there is {@value #NONE}. What stands
 * in {@code [[} and {@code ]]} is left out if a figure in it is not there.
 */
final class Placeholders {
  /** Stands for a figure that was not measured. */
  static final String NONE = "-";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^}|]+)(?:\\|(-?\\d+))?}");
  private static final Pattern OPTIONAL = Pattern.compile("\\[\\[(.*?)]]");
  private static final String RATE = "opsPerSec.median";
  private static final String LATENCY = "latencyUs.";
  private static final String EXTRA = "extra.";
  private static final int DIGITS = 3;

  /** Figures that only go with another one, so that their absence needs no sign. */
  private static final List<String> ADDITIONS = List.of("spread", "why", "mark");

  private final Map<String, PublishedRow> rows;
  private boolean missing;
  private int asked;
  private int found;

  /** With these rows, by the names used in placeholders. */
  Placeholders(Map<String, PublishedRow> rows) {
    this.rows = rows;
  }

  /** The same; blank if the line asks for figures and none of them is there. */
  String answer(String line) {
    asked = 0;
    found = 0;
    String filled = fill(line);
    return asked > 0 && found == 0 ? "" : filled;
  }

  /** The text with a figure for each placeholder. */
  String fill(String text) {
    StringBuilder kept = new StringBuilder();
    Matcher one = OPTIONAL.matcher(text);
    while (one.find()) {
      missing = false;
      String filled = filled(one.group(1));
      one.appendReplacement(kept, Matcher.quoteReplacement(missing ? "" : filled));
    }
    return filled(one.appendTail(kept).toString()).stripTrailing();
  }

  private String filled(String text) {
    StringBuilder filled = new StringBuilder();
    Matcher one = PLACEHOLDER.matcher(text);
    while (one.find()) {
      String figure = figure(one.group(1).trim().split(" +", 3));
      missing |= figure.equals(NONE);
      asked++;
      found += figure.isEmpty() || figure.equals(NONE) ? 0 : 1;
      String width = one.group(2);
      one.appendReplacement(
          filled,
          Matcher.quoteReplacement(
              width == null ? figure : String.format("%" + width + "s", figure)));
    }
    return one.appendTail(filled).toString();
  }

  private String figure(String[] words) {
    String what = words.length > 1 ? words[1] : RATE;
    int slash = words[0].indexOf('/');
    int minus = words[0].indexOf('-');
    if (slash > 0) {
      String own = words[0].substring(0, slash);
      String other = words[0].substring(slash + 1);
      String path = words.length > 1 ? LATENCY + what : RATE;
      return marked(own, other, ratio(number(own, path) / number(other, path)));
    }
    if (minus > 0) {
      String own = words[0].substring(0, minus);
      String other = words[0].substring(minus + 1);
      return marked(own, other, time(1e6 / number(own, RATE) - 1e6 / number(other, RATE)));
    }
    PublishedRow row = rows.get(words[0]);
    if (row == null) {
      return ADDITIONS.contains(what) ? "" : NONE;
    }
    return figure(row, what, words.length > 2 ? words[2] : "");
  }

  private double number(String name, String path) {
    return rows.containsKey(name) ? rows.get(name).number(path) : Double.NaN;
  }

  private static String figure(PublishedRow row, String what, String path) {
    double value = row.number(path);
    return switch (what) {
      case "spread" -> spread(row);
      case "why" ->
          path.isEmpty() ? row.why() : PageOne.shortened(row.why(), Integer.parseInt(path));
      case "mark" -> row.mark();
      case "text" -> row.get(path) == null ? NONE : Figures.text(row.get(path));
      case "percent" -> Double.isNaN(value) ? NONE : String.format(Locale.ROOT, "%+.0f%%", value);
      case "ci" -> ci(row.number(EXTRA + Forks.CONFIDENCE));
      case "x" -> marked(row, ratio(value));
      case "ratio" -> marked(row, ratioAndRange(row, path));
      case "rate" -> marked(row, suffixed(speed(row.number(RATE)), "/s"));
      case "per" -> marked(row, speed(row.number(RATE)));
      case "minmax" -> marked(row, range(row.number("opsPerSec.min"), row.number("opsPerSec.max")));
      case "ms" -> marked(row, time(1000 * value));
      case "us" -> marked(row, time(value));
      case "n" -> marked(row, Double.isNaN(value) ? NONE : Figures.text(row.get(path)));
      case "p50", "p90", "p99", "p99.9", "max" -> marked(row, time(row.number(LATENCY + what)));
      default -> throw new IllegalArgumentException("there is no figure " + what);
    };
  }

  private static String marked(PublishedRow row, String figure) {
    return figure.equals(NONE) ? figure : figure + row.mark();
  }

  /** A figure of two rows has the graver mark of both. */
  private String marked(String name, String other, String figure) {
    if (figure.equals(NONE)) {
      return figure;
    }
    List<String> marks = List.of(rows.get(name).mark(), rows.get(other).mark());
    return figure + List.of("!", "?", "~").stream().filter(marks::contains).findFirst().orElse("");
  }

  private static String suffixed(String figure, String suffix) {
    return figure.equals(NONE) ? figure : figure + suffix;
  }

  private static String speed(double perSec) {
    return Double.isNaN(perSec) ? NONE : String.format(Locale.ROOT, "%,.0f", shortened(perSec));
  }

  private static String range(double min, double max) {
    return Double.isNaN(min) ? NONE : speed(min) + "-" + speed(max);
  }

  /** Three digits, because a fourth would differ in the next run. */
  private static double shortened(double value) {
    double unit = Math.pow(10, Math.max(0, Math.ceil(Math.log10(value)) - DIGITS));
    return Math.round(value / unit) * unit;
  }

  private static String spread(PublishedRow row) {
    double percent = row.spreadPercent();
    return Double.isNaN(percent) || percent == 0
        ? ""
        : String.format(Locale.ROOT, "(%.0f %%)", percent);
  }

  private static String ci(double percent) {
    return Double.isNaN(percent) ? NONE : String.format(Locale.ROOT, "%.0f %%", percent);
  }

  private static String ratioAndRange(PublishedRow row, String name) {
    String path = EXTRA + Row.RATIOS + "." + name;
    double min = row.number(path + ".min");
    String ratio = ratio(row.number(EXTRA + name));
    return Double.isNaN(min)
        ? ratio
        : ratio + " (" + ratio(min) + "-" + ratio(row.number(path + ".max")) + ")";
  }

  private static String ratio(double ratio) {
    if (Double.isNaN(ratio)) {
      return NONE;
    }
    return ratio < 3
        ? Figures.fraction(ratio)
        : String.format(Locale.ROOT, ratio < 10 ? "%.1f" : "%,.0f", ratio);
  }

  private static String time(double us) {
    if (Double.isNaN(us)) {
      return NONE;
    }
    if (Math.abs(us) < 1) {
      return String.format(Locale.ROOT, "%.0f ns", 1000 * us);
    }
    if (us < 1000) {
      return String.format(Locale.ROOT, us < 10 ? "%.1f us" : "%.0f us", us);
    }
    double ms = us / 1000;
    return ms < 1000
        ? String.format(Locale.ROOT, ms < 10 ? "%.1f ms" : "%.0f ms", ms)
        : String.format(Locale.ROOT, "%.2f s", ms / 1000);
  }
}
