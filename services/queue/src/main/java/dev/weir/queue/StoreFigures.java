package dev.weir.queue;

/**
 * The log of a closed directory.
 *
 * @param logFiles its files
 * @param logBytes their size
 * @param liveBytes of them, those in use, as JE counts them
 */
public record StoreFigures(long logFiles, long logBytes, long liveBytes) {

  /** How much of the log is in use, 0 to 100. */
  public int utilizationPercent() {
    return logBytes == 0 ? 100 : (int) Math.min(100, liveBytes * 100 / logBytes);
  }
}
