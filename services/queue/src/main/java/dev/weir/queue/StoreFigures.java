package dev.weir.queue;

/**
 * Figures of the log of a closed directory.
 *
 * @param logFiles number of log files
 * @param logBytes their size
 * @param liveBytes the part of {@code logBytes} that is in use, as JE counts it
 */
public record StoreFigures(long logFiles, long logBytes, long liveBytes) {

  /** The share of the log that is in use, 0 to 100. */
  public int utilizationPercent() {
    return logBytes == 0 ? 100 : (int) Math.min(100, liveBytes * 100 / logBytes);
  }
}
