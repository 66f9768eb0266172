package dev.weir.bench.persistence.loggers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.chronicle.ChronicleMechanism;
import dev.weir.bench.persistence.store.file.FileMechanism;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.record.LatencySummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two tables: JE in the form of the Rumi benchmark's table, and JE compared with the other stores.
 */
final class LoggersSummary {
  /** Ratios of medians by name, each with the path that is divided by. */
  static final Map<String, String> RATIOS = ratios();

  private final Map<String, Map<Flush, String>> figures = new LinkedHashMap<>();
  private final Map<String, Map<Flush, String>> ratios = new LinkedHashMap<>();

  private static Map<String, String> ratios() {
    Map<String, String> ratios = new LinkedHashMap<>();
    ratios.put("xFile", FileMechanism.PATH);
    ratios.put("xChronicle", ChronicleMechanism.PATH);
    ratios.put("xPacked", ChronicleMechanism.PACKED_PATH);
    return ratios;
  }

  /** Takes what JE came to, and the median of every path. */
  void add(String caseName, Flush flush, Map<String, Double> medians, LatencySummary commit) {
    double own = medians.get(JeMechanism.PATH);
    figures
        .computeIfAbsent(caseName + " write", any -> new LinkedHashMap<>())
        .put(
            flush,
            String.format(
                Locale.ROOT, "%.1f / %.1f us, %,.0f/s", commit.p50Us(), commit.p99Us(), own));
    List<String> parts = new ArrayList<>();
    RATIOS.forEach(
        (name, base) -> {
          if (medians.containsKey(base)) {
            parts.add(String.format(Locale.ROOT, "%.2f %s", own / medians.get(base), name));
          }
        });
    ratios
        .computeIfAbsent(caseName, any -> new LinkedHashMap<>())
        .put(flush, String.join(", ", parts));
  }

  /** The two tables. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("JE: p50 / p99 of one commit, messages per second");
    add(lines, "operation", figures);
    lines.add("");
    lines.add(
        "JE: its median over that of a plain file (xFile), of Chronicle Queue (xChronicle), of"
            + " Chronicle Queue with packets (xPacked)");
    add(lines, "case", ratios);
    return lines;
  }

  private static void add(List<String> lines, String title, Map<String, Map<Flush, String>> table) {
    List<String> heads = new ArrayList<>(List.of(title));
    for (Flush flush : Flush.values()) {
      heads.add("flush " + flush);
    }
    lines.add(String.join(" | ", heads));
    table.forEach(
        (name, byFlush) -> {
          List<String> cells = new ArrayList<>(List.of(name));
          for (Flush flush : Flush.values()) {
            cells.add(byFlush.getOrDefault(flush, ""));
          }
          lines.add(String.join(" | ", cells));
        });
  }
}
