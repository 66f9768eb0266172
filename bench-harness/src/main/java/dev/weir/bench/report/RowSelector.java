package dev.weir.bench.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects rows by what they hold: {@code scenario=rpc path=memory|raw-bus case="a b"}. With {@code
 * least=PATH} or {@code most=PATH} the row with the least or the most of a figure is the first. The
 * verdict is selected by its name: {@code verdict=OK|UNSTABLE}.
 */
final class RowSelector {
  private static final Pattern CONDITION = Pattern.compile("([\\w.%]+)=(\"[^\"]*\"|\\S+)");
  private static final String LEAST = "least";
  private static final String MOST = "most";
  private static final String VERDICT = "verdict";

  private final Map<String, List<String>> allowed = new LinkedHashMap<>();
  private Comparator<PublishedRow> order = Comparator.comparing(row -> 0);

  private RowSelector() {}

  /** Reads the conditions; what is no condition is refused. */
  static RowSelector parse(String text) {
    RowSelector selector = new RowSelector();
    Matcher condition = CONDITION.matcher(text);
    int end = 0;
    while (condition.find()) {
      refuseUnless(text.substring(end, condition.start()).isBlank(), text);
      end = condition.end();
      selector.add(condition.group(1), condition.group(2).replace("\"", ""));
    }
    refuseUnless(end > 0 && text.substring(end).isBlank(), text);
    return selector;
  }

  private static void refuseUnless(boolean sound, String text) {
    if (!sound) {
      throw new IllegalArgumentException("rows are selected by name=value, not by: " + text);
    }
  }

  private void add(String name, String value) {
    if (name.equals(LEAST) || name.equals(MOST)) {
      Comparator<PublishedRow> rising = Comparator.comparingDouble(row -> row.number(value));
      order = name.equals(LEAST) ? rising : falling(value);
    } else {
      allowed.put(name, List.of(value.split("\\|")));
    }
  }

  /** The highest first; a row without the figure last. */
  static Comparator<PublishedRow> falling(String path) {
    return Comparator.comparingDouble(
        row -> Double.isNaN(row.number(path)) ? Double.MAX_VALUE : -row.number(path));
  }

  /** All rows that fulfil the conditions. */
  List<PublishedRow> all(List<PublishedRow> rows) {
    return rows.stream().filter(this::selects).sorted(order).toList();
  }

  /** The first of these rows. */
  Optional<PublishedRow> first(List<PublishedRow> rows) {
    return all(rows).stream().findFirst();
  }

  private boolean selects(PublishedRow row) {
    return allowed.entrySet().stream()
        .allMatch(one -> one.getValue().contains(value(row, one.getKey())));
  }

  private static String value(PublishedRow row, String name) {
    return name.equals(VERDICT) ? row.verdict() : String.valueOf(row.get(name));
  }
}
