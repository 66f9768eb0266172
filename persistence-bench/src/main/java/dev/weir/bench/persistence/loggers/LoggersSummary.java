package dev.weir.bench.persistence.loggers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.chronicle.ChronicleMechanism;
import dev.weir.bench.persistence.store.file.FileMechanism;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Spread;
import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two tables: JE in the form of the Rumi benchmark's table, and JE compared with the other stores.
 */
final class LoggersSummary {
  /** The path that each ratio divides by, with its name. */
  static final Map<String, String> RATIOS = new LinkedHashMap<>();

  static {
    RATIOS.put("xFile", FileMechanism.PATH);
    RATIOS.put("xChronicle", ChronicleMechanism.PATH);
    RATIOS.put("xPacked", ChronicleMechanism.PACKED_PATH);
  }

  /** The cells of the two tables by case and flush. */
  private final Map<String, Map<Flush, String>> figures = new LinkedHashMap<>();

  private final Map<String, Map<Flush, String>> ratios = new LinkedHashMap<>();

  /** Takes the latency of commits of JE, and the throughput of every path. */
  void add(String caseName, Flush flush, Map<String, Spread> perSec, LatencySummary commit) {
    Spread own = perSec.get(JeMechanism.PATH);
    put(
        figures,
        caseName,
        flush,
        format("%.1f / %.1f us, %,.0f/s", commit.p50Us(), commit.p99Us(), own.median()));
    List<String> parts = new ArrayList<>();
    RATIOS.forEach(
        (name, base) -> {
          if (perSec.containsKey(base)) {
            parts.add(format("%.2f %s", own.over(perSec.get(base)).median(), name));
          }
        });
    put(ratios, caseName, flush, String.join(", ", parts));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static void put(
      Map<String, Map<Flush, String>> table, String caseName, Flush flush, String cell) {
    table.computeIfAbsent(caseName, any -> new LinkedHashMap<>()).put(flush, cell);
  }

  /** The two tables. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("JE: p50 / p99 of one commit, messages per second:");
    lines.addAll(table(figures));
    lines.add(
        "JE: its median over that of a plain file (xFile), of Chronicle Queue (xChronicle), of"
            + " Chronicle Queue with packets (xPacked):");
    lines.addAll(table(ratios));
    return lines;
  }

  private static List<String> table(Map<String, Map<Flush, String>> cells) {
    TextTable<Map.Entry<String, Map<Flush, String>>> table =
        new TextTable<>(List.copyOf(cells.entrySet())).column("case", Map.Entry::getKey);
    for (Flush flush : Flush.values()) {
      table.column("flush " + flush, row -> row.getValue().get(flush));
    }
    return table.indented();
  }
}
