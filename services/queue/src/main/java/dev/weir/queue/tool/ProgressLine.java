package dev.weir.queue.tool;

import dev.weir.queue.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows how far a command has come: a line on standard error that is written again twice a second,
 * from the third second of the command on and only if standard error is a terminal. One thread.
 */
final class ProgressLine implements Progress, AutoCloseable {
  private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);
  private static final long BYTES_PER_MIB = 1 << 20;
  private static final long SECONDS_PER_MINUTE = 60;

  /** Goes to the start of the line and deletes it. */
  private static final String CLEAR = "\r\u001b[K";

  private final String command;
  private final PrintStream terminal;
  private final LongSupplier clockNs;
  private long startNs;
  private long nextNs;
  private String unit = "";
  private boolean shown;

  /**
   * @param terminal null if there is none
   */
  ProgressLine(String command, PrintStream terminal, LongSupplier clockNs) {
    this.command = command;
    this.terminal = terminal;
    this.clockNs = clockNs;
    this.startNs = clockNs.getAsLong();
    this.nextNs = startNs + FIRST_NS;
  }

  /** Whether standard error is a terminal; false where that cannot be found out. */
  static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public void bytes(long done, long total) {
    at("MiB", done, total, BYTES_PER_MIB);
  }

  @Override
  public void messages(long done, long total) {
    at("messages", done, total, 1);
  }

  private void at(String what, long done, long total, long unitSize) {
    if (terminal == null) {
      return;
    }
    long nowNs = clockNs.getAsLong();
    if (!unit.equals(what)) {
      // Another part of the work, which has a rate of its own.
      startNs = nowNs;
      unit = what;
    }
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + INTERVAL_NS;
      terminal.print(CLEAR + text(done, total, unitSize, (nowNs - startNs) / NS_PER_S));
      terminal.flush();
      shown = true;
    }
  }

  private String text(long done, long total, long unitSize, double seconds) {
    StringBuilder text = new StringBuilder(QueueTool.NAME).append(": ").append(command);
    boolean isKnown = total >= done && total > 0;
    text.append(' ').append(done / unitSize);
    if (isKnown) {
      text.append(" of ").append(total / unitSize);
    }
    text.append(' ').append(unit);
    double perSecond = seconds > 0 ? done / seconds : 0;
    text.append(String.format(Locale.ROOT, ", %.0f/s", perSecond / unitSize));
    if (isKnown && perSecond > 0) {
      text.append(", ").append(left((long) Math.ceil((total - done) / perSecond)));
    }
    return text.toString();
  }

  private static String left(long seconds) {
    long minutes = seconds / SECONDS_PER_MINUTE;
    return (minutes == 0 ? "" : minutes + " min ") + seconds % SECONDS_PER_MINUTE + " s left";
  }

  /** Deletes the line. */
  @Override
  public void close() {
    if (shown) {
      terminal.print(CLEAR);
      terminal.flush();
      shown = false;
    }
  }
}
