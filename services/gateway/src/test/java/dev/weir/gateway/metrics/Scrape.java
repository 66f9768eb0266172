package dev.weir.gateway.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a scrape. */
final class Scrape {
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(\\{.*})? (\\S+)");

  /** By the name of the metric. */
  final Map<String, String> types = new LinkedHashMap<>();

  /** By name and tags, as they are written. */
  final Map<String, Double> samples = new LinkedHashMap<>();

  Scrape(String text) {
    for (String line : text.split("\n")) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      } else if (sample.matches()) {
        String tags = sample.group(2) == null ? "" : sample.group(2);
        samples.put(sample.group(1) + tags, value(sample.group(3)));
      }
    }
  }

  private static double value(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** Names of samples, those of histograms with the ends of their parts. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    samples.keySet().forEach(sample -> names.add(sample.replaceFirst("\\{.*", "")));
    return names;
  }

  double value(Metric metric, String tag, String value) {
    String key = metric.prometheusName() + "{" + tag + "=\"" + value + "\"}";
    Double found = samples.get(key);
    if (found == null) {
      throw new AssertionError("no " + key + " in " + samples.keySet());
    }
    return found;
  }
}
