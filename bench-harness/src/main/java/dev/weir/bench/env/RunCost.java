package dev.weir.bench.env;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Time that garbage collection and the hypervisor took from a run.
 *
 * @param gcPauseMs time the collectors stopped the JVM, as they report it
 * @param gcCount how often
 * @param stealPercent share of CPU time a hypervisor gave to others; absent where unknown
 */
public record RunCost(long gcPauseMs, long gcCount, OptionalDouble stealPercent) {
  /** Starts measuring. */
  public static Meter start() {
    return new Meter(CpuTicks.PROC_STAT);
  }

  /** Names and values for the {@code extra} of a row; steal left out where unknown. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("gcPauseMs", gcPauseMs);
    map.put("gcCount", gcCount);
    stealPercent.ifPresent(steal -> map.put("stealPercent", steal));
    return map;
  }

  /** Measures from its creation to {@link #stop}. */
  public static final class Meter {
    private final Path procStat;
    private final CpuTicks startTicks;
    private final long startPauseMs;
    private final long startCount;

    Meter(Path procStat) {
      this.procStat = procStat;
      this.startTicks = CpuTicks.read(procStat);
      this.startPauseMs = totalPauseMs();
      this.startCount = totalCount();
    }

    /** What was taken since the start. */
    public RunCost stop() {
      return new RunCost(
          totalPauseMs() - startPauseMs,
          totalCount() - startCount,
          CpuTicks.read(procStat).stealPercentSince(startTicks));
    }
  }

  private static long totalPauseMs() {
    return pausing().stream().mapToLong(bean -> Math.max(0, bean.getCollectionTime())).sum();
  }

  private static long totalCount() {
    return pausing().stream().mapToLong(bean -> Math.max(0, bean.getCollectionCount())).sum();
  }

  /** Beans of concurrent work report time in which the JVM was not stopped. */
  private static List<GarbageCollectorMXBean> pausing() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(bean -> !bean.getName().contains("Cycles"))
        .filter(bean -> !bean.getName().contains("Concurrent"))
        .toList();
  }

  /** CPU time of all processors so far, in kernel ticks; total 0 where it cannot be read. */
  record CpuTicks(long total, long steal) {
    static final Path PROC_STAT = Path.of("/proc/stat");

    private static final int STEAL = 7;

    /** Guest time follows steal and is already part of user time. */
    private static final int FIELDS = 8;

    static CpuTicks read(Path procStat) {
      try (Stream<String> lines = Files.lines(procStat)) {
        return lines.filter(line -> line.startsWith("cpu ")).findFirst().map(CpuTicks::parse).get();
      } catch (IOException | RuntimeException e) {
        return new CpuTicks(0, 0);
      }
    }

    private static CpuTicks parse(String line) {
      String[] words = line.trim().split("\\s+");
      long[] ticks =
          Arrays.stream(words).skip(1).limit(FIELDS).mapToLong(Long::parseLong).toArray();
      return new CpuTicks(Arrays.stream(ticks).sum(), ticks[STEAL]);
    }

    OptionalDouble stealPercentSince(CpuTicks start) {
      long elapsed = total - start.total;
      return start.total == 0 || elapsed <= 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(100.0 * (steal - start.steal) / elapsed);
    }
  }
}
