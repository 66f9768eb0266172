package dev.weir.queue.offline;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.LogFault;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueCheck;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.VerifyReport;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogGaps;
import dev.weir.queue.je.LogMark;
import dev.weir.queue.je.LogScan;
import dev.weir.queue.je.ReadOnlyFiles;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * One check of a closed directory. It reads the log byte by byte first, to find what is damaged or
 * missing and which sequences may have been there, and then every message. Nothing is changed.
 */
public final class Verification {
  private final Path path;
  private final Progress progress;
  private final List<LogFault> faults = new ArrayList<>();
  private final List<QueueCheck> queues = new ArrayList<>();
  private final LogGaps gaps = new LogGaps();

  private LogScan scan;

  public Verification(Path path, Progress progress) {
    this.path = path;
    this.progress = progress;
  }

  /** Runs the check; call it once. */
  public VerifyReport run() throws IOException {
    scan = LogScan.of(path, gaps, progress);
    faults.addAll(scan.faults());
    Path marker = path.resolve(LogFiles.MARKER);
    if (Files.exists(marker)) {
      String what =
          "a mark that damage was found earlier: the store is repaired when it is opened next";
      faults.add(new LogFault(LogFiles.MARKER, 0, Files.size(marker), false, 0, what));
    }
    gaps.end(path);
    gaps.missingFiles().forEach(number -> missing(LogFiles.name(number)));
    LogMark.Content mark = LogMark.read(path);
    if (LogMark.isShorter(path, mark)) {
      faults.addAll(missingEnd(mark));
    }
    String failure = checkQueues();
    return new VerifyReport(
        scan.files(), scan.bytes(), scan.entries(), faults, failure, queues, gaps.lost());
  }

  /** What is missing of a log that is shorter than its mark says. */
  private List<LogFault> missingEnd(LogMark.Content mark) throws IOException {
    List<Path> files = LogFiles.of(path);
    Path last = files.isEmpty() ? null : files.get(files.size() - 1);
    long number = last == null ? -1 : LogFiles.number(last);
    if (number == mark.file()) {
      long size = Files.size(last);
      long missing = mark.offset() - size;
      String what = "the log had reached offset " + mark.offset() + " and ends here";
      return List.of(new LogFault(LogFiles.name(number), size, missing, true, missing, what));
    }
    return LongStream.rangeClosed(number + 1, mark.file())
        .mapToObj(n -> new LogFault(LogFiles.name(n), 0, 0, true, 0, "the file is missing"))
        .toList();
  }

  private void missing(String file) {
    faults.add(new LogFault(file, 0, 0, false, 0, "the file is missing"));
  }

  /** Checks the queues; returns why the store cannot be read, or null. */
  private String checkQueues() {
    try (ReadOnlyFiles files = ReadOnlyFiles.open(path)) {
      for (String queue : names(files)) {
        queues.add(check(files, queue));
      }
      gaps.remove(files.tables(), files.isRebuilt());
      return null;
    } catch (QueueException e) {
      if (e.reason() != Reason.STORE_FAILED && e.reason() != Reason.DISK_FULL) {
        throw e;
      }
      queues.clear();
      return e.getMessage();
    } catch (RuntimeException e) {
      if (!JeFiles.isStoreFailure(e)) {
        throw e;
      }
      queues.clear();
      return "the store in " + path + " cannot be read: " + JeFiles.firstLine(e);
    }
  }

  private static List<String> names(ReadOnlyFiles files) {
    try {
      return files.tables().queues();
    } catch (RuntimeException e) {
      if (!JeFiles.isStoreFailure(e) || !files.rebuild(e)) {
        throw e;
      }
      return files.tables().queues();
    }
  }

  private QueueCheck check(ReadOnlyFiles files, String queue) {
    Tally tally = new Tally(queue, count(files, queue));
    QueueScan messages = new QueueScan(files, queue, scan::isDamaged, tally);
    try {
      messages.packets();
    } catch (RuntimeException e) {
      if (recover(files, e)) {
        return check(files, queue);
      }
      tally.unreachable(queue, 0);
    }
    try {
      messages.findBlocked();
      messages.blocked();
      messages.scheduled();
      messages.dead();
    } catch (RuntimeException e) {
      if (recover(files, e)) {
        return check(files, queue);
      }
      String what = "and the scheduled messages cannot be found";
      tally.damaged(new DamagedPacket(queue, 0, 0, null, 0, what));
    }
    return tally.result();
  }

  /** How many messages are expected; -1 if damage does not let them be counted. */
  private static long count(ReadOnlyFiles files, String queue) {
    try {
      return KeyCount.of(files.tables(), queue).messages();
    } catch (RuntimeException e) {
      return recover(files, e) ? count(files, queue) : -1;
    }
  }

  /** After a failure that damage explains: true if a copy is read from now on. */
  private static boolean recover(ReadOnlyFiles files, RuntimeException failure) {
    boolean damage = failure instanceof BufferUnderflowException || JeFiles.isStoreFailure(failure);
    if (!damage) {
      throw failure;
    }
    if (files.rebuild(failure)) {
      return true;
    }
    files.reopenIfInvalid();
    return false;
  }

  /** Counts the intact messages of a queue and collects what is damaged. */
  private final class Tally implements QueueScan.Visitor {
    private final String queue;
    private final List<DamagedPacket> damaged = new ArrayList<>();
    private final Map<State, Long> messages = new EnumMap<>(State.class);
    private final long total;
    private long packets;
    private long transients;
    private long done;

    Tally(String queue, long total) {
      this.queue = queue;
      this.total = total;
    }

    @Override
    public void packet() {
      packets++;
    }

    @Override
    public boolean message(StoredMessage message) {
      progress.messages(++done, total);
      if (message.isTransient()) {
        transients++;
      } else {
        messages.merge(message.state(), 1L, Long::sum);
      }
      return true;
    }

    @Override
    public void damaged(DamagedPacket packet) {
      damaged.add(packet);
    }

    QueueCheck result() {
      return new QueueCheck(
          queue,
          packets,
          count(State.WAITING),
          count(State.SCHEDULED),
          count(State.DEAD),
          transients,
          damaged);
    }

    private long count(State state) {
      return messages.getOrDefault(state, 0L);
    }
  }
}
