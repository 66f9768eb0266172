package dev.weir.queue.je;

import static dev.weir.queue.je.QueueTables.firstOfBlock;

import dev.weir.queue.LogFault;
import dev.weir.queue.LostPackets;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.PacketKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds the sequences that may have been where a log cannot be read. The packets of a queue are
 * written in the order of their sequences; so what lies between the last packet before a fault and
 * the first one after it was there, unless it was never written. Of a queue without a packet after
 * a missing file the {@link LogMark} tells how far it had come. A scan fills it; then {@link #end}
 * and {@link #remove} are called once each.
 */
public final class LogGaps implements LogScan.Visitor {
  private static final int DELETED_IN_TRANSACTION = LogWrite.DELETED_IN_TRANSACTION;
  private static final int INSERTED_IN_TRANSACTION = 33;

  /**
   * @param missingFrom the first and last file that may be missing, or -1
   */
  private record Cause(String why, long missingFrom, long missingTo) {}

  private static final Cause NO_END =
      new Cause("the end of their transaction is not in the log", -1, -1);

  private static final String MOVED =
      "a message of their packet may have been moved to where the log cannot be read";

  private static final Cause CUT = new Cause("the log ends before them", -1, -1);

  /**
   * @param cause null for one of the causes from an index to before another
   */
  private record Found(
      long database,
      long firstSequence,
      long endSequence,
      Cause cause,
      int fromCause,
      int endCause) {
    Found(long database, long firstSequence, long endSequence, Cause cause) {
      this(database, firstSequence, endSequence, cause, 0, 0);
    }
  }

  private final LogHistory history = new LogHistory();
  private final Map<Long, Long> ends = new HashMap<>();

  /** How many of the causes were known at the last packet of a database. */
  private final Map<Long, Integer> causesBefore = new HashMap<>();

  private final List<Cause> causes = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();

  /** By queue, what may be lost. */
  private final Map<String, SequenceRanges> ranges = new TreeMap<>();

  /** Packets that were deleted, and that may have had a message whose move is lost. */
  private final Map<String, SequenceRanges> doubtful = new TreeMap<>();

  /** What a missing file may have held of a queue that the log shows no packet of behind it. */
  private final Map<String, SequenceRanges> hidden = new TreeMap<>();

  /** Packets of transactions without an end so far. */
  private final Map<Long, List<Found>> uncommitted = new HashMap<>();

  /** True behind the end of the log. */
  private boolean ended;

  private boolean endIsDamaged;
  private boolean isLast;
  private long certainLsn;
  private long firstFile = -1;
  private long file = -1;

  /** What may be lost of the log in a directory, before {@link #remove}. */
  static LogGaps of(Path directory) throws IOException {
    LogGaps gaps = new LogGaps();
    LogScan.of(directory, gaps);
    gaps.end(directory);
    return gaps;
  }

  @Override
  public void file(long number, boolean isLast) {
    history.file(number, isLast);
    this.isLast = isLast;
    if (firstFile < 0) {
      firstFile = number;
      if (number > 0) {
        causes.add(new Cause(missing(0, number - 1), 0, number - 1));
      }
    } else if (number != file + 1) {
      causes.add(new Cause(missing(file + 1, number - 1), file + 1, number - 1));
    }
    file = number;
  }

  private static String missing(long from, long to) {
    return from == to
        ? LogFiles.name(from) + " is missing"
        : "files of " + LogFiles.name(from) + " to " + LogFiles.name(to) + " are missing";
  }

  /** What is shown from now on tells only which sequences are lost. */
  @Override
  public void logEnds() {
    history.logEnds();
    ended = true;
  }

  @Override
  public void fault(LogFault fault) {
    history.fault(fault);
    endIsDamaged |= isLast;
    causes.add(new Cause(fault.file() + " cannot be read at offset " + fault.offset(), -1, -1));
  }

  @Override
  public void entry(LogEntry entry, ByteBuffer content) {
    history.entry(entry, content);
    if (!LogWrite.isEnd(entry)) {
      packet(entry, content, false);
    } else if (!ended) {
      uncommitted.remove(LogWrite.endedTransaction(content));
    }
  }

  @Override
  public void damaged(LogEntry entry, ByteBuffer content) {
    history.damaged(entry, content);
    packet(entry, content, true);
  }

  private void packet(LogEntry entry, ByteBuffer content, boolean isDamaged) {
    PacketKey key = null;
    LogWrite write = null;
    if (entry.type() == INSERTED_IN_TRANSACTION || entry.type() == DELETED_IN_TRANSACTION) {
      write = LogWrite.of(content, true);
      boolean isPacket = write != null && write.rest().limit() == PacketKey.BYTES;
      key = isPacket ? PacketKey.of(write.key()) : null;
    }
    if (key == null || write.value() != null && !PacketCodec.isKeyOf(key, write.value())) {
      return;
    }
    long database = write.database();
    if (ended) {
      isCut(database, key);
      return;
    }
    int known = causesBefore.getOrDefault(database, 0);
    causesBefore.put(database, causes.size());
    // Sequences of different openings do not follow each other.
    long from = Math.max(ends.getOrDefault(database, 0L), firstOfBlock(key.firstSequence()));
    if (known < causes.size() && key.firstSequence() > from) {
      found.add(new Found(database, from, key.firstSequence(), null, known, causes.size()));
    }
    if (isDamaged) {
      Cause last = causes.get(causes.size() - 1);
      found.add(new Found(database, key.firstSequence(), key.endSequence(), last));
    }
    ends.merge(database, key.endSequence(), Math::max);
    if (write.value() != null && !isDamaged) {
      Found packet = new Found(database, key.firstSequence(), key.endSequence(), NO_END);
      uncommitted.computeIfAbsent(write.transaction(), t -> new ArrayList<>()).add(packet);
    }
  }

  /** A packet behind the end of the log, and what was before it there. */
  private void isCut(long database, PacketKey key) {
    long from = Math.max(ends.getOrDefault(database, 0L), firstOfBlock(key.firstSequence()));
    if (key.endSequence() > from) {
      found.add(new Found(database, from, key.endSequence(), CUT));
      ends.put(database, key.endSequence());
    }
  }

  /** Ends the search; reads the log again if something may be lost. */
  public void end(Path directory) throws IOException {
    LogMark.Content mark = LogMark.read(directory);
    certainLsn = mark == null ? 0 : mark.certainLsn();
    history.end(certainLsn);
    boolean endIsLost = endIsDamaged || LogMark.isShorter(directory, mark);
    if (mark != null) {
      if (endIsLost) {
        uncommitted.values().forEach(found::addAll);
        ends.forEach((database, end) -> atEnd(database, end, mark));
      }
      findHidden(mark);
    }
    found.forEach(this::add);
    if (!ranges.isEmpty() || !hidden.isEmpty() || !history.doubtfulPackets().isEmpty()) {
      LogScan.of(directory, new Handled());
    }
  }

  private void add(Found found) {
    String queue = queue(found.database);
    Cause cause = found.cause == null ? cause(found.fromCause, found.endCause) : found.cause;
    if (queue != null && cause != null) {
      of(queue, ranges).add(found.firstSequence, found.endSequence, cause.why);
    }
  }

  /**
   * The first cause that is one. Behind files that JE itself has deleted only a missing file is:
   * what was handled in the deleted ones cannot be told from what is lost.
   */
  private Cause cause(int from, int end) {
    Cause first = causes.get(from);
    return first.missingFrom < 0 ? first : missing(from, end);
  }

  /** The first missing file that JE did not delete itself, or null. */
  private Cause missing(int from, int end) {
    return causes.subList(from, end).stream()
        .filter(cause -> cause.missingFrom >= 0)
        .filter(cause -> !history.missing(cause.missingFrom, cause.missingTo).isEmpty())
        .findFirst()
        .orElse(null);
  }

  private static SequenceRanges of(String queue, Map<String, SequenceRanges> ranges) {
    return ranges.computeIfAbsent(queue, name -> new SequenceRanges());
  }

  private void atEnd(long database, long end, LogMark.Content mark) {
    String queue = queue(database);
    Long marked = queue == null ? null : mark.endSequences().get(queue);
    if (marked != null && marked > end) {
      long from = Math.max(end, firstOfBlock(marked - 1));
      found.add(new Found(database, from, marked, CUT));
    }
  }

  /** What the mark tells of that is neither in the log nor between two packets of it. */
  private void findHidden(LogMark.Content mark) {
    Map<String, Long> unseen = new HashMap<>(mark.endSequences());
    List<Long> nameless = new ArrayList<>();
    ends.forEach(
        (database, end) -> {
          String queue = queue(database);
          Long marked = unseen.remove(queue);
          if (marked != null && marked > end) {
            hide(queue, end, marked, causesBefore.getOrDefault(database, 0));
          } else if (queue != null && history.name(database) == null) {
            nameless.add(end);
          }
        });
    // A queue whose name cannot be read is the one that ends nearest.
    nameless.forEach(
        end ->
            unseen.entrySet().stream()
                .min(Comparator.comparingLong(each -> Math.abs(each.getValue() - end)))
                .map(Map.Entry::getKey)
                .ifPresent(unseen::remove));
    if (mark.file() > file) {
      unseen.forEach((queue, end) -> of(queue, ranges).add(firstOfBlock(end - 1), end, CUT.why));
    } else {
      unseen.forEach((queue, end) -> hide(queue, 0, end, 0));
    }
  }

  private void hide(String queue, long from, long end, int fromCause) {
    Cause cause = missing(fromCause, causes.size());
    if (cause != null) {
      of(queue, hidden).add(Math.max(from, firstOfBlock(end - 1)), end, cause.why);
    }
  }

  /** The queue whose packets a database holds; null for a deleted database. */
  private String queue(long database) {
    String name = history.name(database);
    if (name != null) {
      return Table.PACKETS.queueOf(name);
    }
    return history.isNameless(database) ? LogReplay.queueOf(database) : null;
  }

  /** {@link LogMark.Content#certainLsn}, or 0. To be called after {@link #end}. */
  long certainLsn() {
    return certainLsn;
  }

  /** What the log says about its entries. */
  LogHistory history() {
    return history;
  }

  /** Log files that JE did not delete and that are not there. To be called after {@link #end}. */
  public List<Long> missingFiles() {
    return history.missing(0, file);
  }

  /**
   * Takes out what is in some tables, whether it can be read or not.
   *
   * @param rebuilt true if they are made of what the log shows; otherwise JE's own index has told
   *     where each message is, and what was moved is there
   */
  public void remove(OpenTables tables, boolean rebuilt) {
    if (rebuilt) {
      doubtful.forEach((queue, its) -> of(queue, ranges).addAll(its));
      hidden.forEach((queue, its) -> of(queue, ranges).addAll(its));
    }
    ranges.forEach(
        (queue, its) -> {
          forEachKey(tables, Table.PACKETS, queue, key -> remove(its, PacketKey.of(key)));
          forEachKey(
              tables, Table.DEFERRED, queue, key -> its.remove(DeferredKey.of(key).sequence()));
          forEachKey(tables, Table.DEAD, queue, key -> its.remove(DeadKey.of(key).sequence()));
        });
  }

  private static void forEachKey(
      OpenTables tables, Table table, String queue, Consumer<byte[]> each) {
    tables.forEachKey(
        table,
        queue,
        key -> {
          if (key.length == table.keyBytes()) {
            each.accept(key);
          }
        });
  }

  private static void remove(SequenceRanges its, PacketKey key) {
    its.remove(key.firstSequence(), key.endSequence());
  }

  /** What is left, as an upper limit of what is lost. */
  public List<LostPackets> lost() {
    List<LostPackets> lost = new ArrayList<>();
    ranges.forEach((queue, its) -> lost.addAll(its.lost(queue)));
    return lost;
  }

  /** Takes out the packets that the log shows as deleted. */
  private final class Handled implements LogScan.Visitor {
    private boolean ended;

    @Override
    public void logEnds() {
      ended = true;
    }

    @Override
    public void entry(LogEntry entry, ByteBuffer content) {
      boolean deletes = !ended && LogWrite.isWrite(entry) && entry.type() <= LogWrite.DELETED;
      LogWrite write = deletes ? LogWrite.of(content, LogWrite.isInTransaction(entry)) : null;
      if (write != null
          && write.rest().limit() == PacketKey.BYTES
          && !history.isUndone(write.transaction())) {
        handled(queue(write.database()), PacketKey.of(write.key()));
      }
    }

    private void handled(String queue, PacketKey key) {
      if (queue == null) {
        return;
      }
      remove(of(queue, ranges), key);
      remove(of(queue, hidden), key);
      if (history.doubtfulPackets().contains(queue, key.firstSequence())) {
        of(queue, doubtful).add(key.firstSequence(), key.endSequence(), MOVED);
      }
    }
  }
}
