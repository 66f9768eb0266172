package dev.weir.bench.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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
    long[] ticks = Arrays.stream(words).skip(1).limit(FIELDS).mapToLong(Long::parseLong).toArray();
    return new CpuTicks(Arrays.stream(ticks).sum(), ticks[STEAL]);
  }

  OptionalDouble stealPercentSince(CpuTicks start) {
    long elapsed = total - start.total;
    return start.total == 0 || elapsed <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * (steal - start.steal) / elapsed);
  }
}
