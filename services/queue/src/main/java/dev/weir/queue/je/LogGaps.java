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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds the sequences that may have been where a log cannot be read. The packets of a queue are
 * written in the order of their sequences; so what lies between the last packet before a fault and
 * the first one after it was there, unless it was never written. A scan fills it; then {@link #end}
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
   * @param cause null for the first of the causes from one index to before another that is real
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
    if (endIsLost && mark != null) {
      uncommitted.values().forEach(found::addAll);
    }
    if (mark != null) {
      atEnd(mark, endIsLost ? CUT : null);
    }
    found.forEach(each -> add(queue(each.database), each));
    if (!ranges.isEmpty() || !history.doubtfulPackets().isEmpty()) {
      LogScan.of(directory, new Handled());
    }
  }

  private void add(String queue, Found found) {
    Cause cause = found.cause;
    for (int i = found.fromCause; cause == null && i < found.endCause; i++) {
      cause = isReal(causes.get(i)) ? causes.get(i) : null;
    }
    if (cause != null && queue != null) {
      of(queue, ranges).add(found.firstSequence, found.endSequence, cause.why);
    }
  }

  /** A file that JE itself has deleted is not missing. */
  private boolean isReal(Cause cause) {
    return cause.missingFrom < 0 || !history.missing(cause.missingFrom, cause.missingTo).isEmpty();
  }

  private static SequenceRanges of(String queue, Map<String, SequenceRanges> ranges) {
    return ranges.computeIfAbsent(queue, name -> new SequenceRanges());
  }

  /**
   * What the mark tells of that the log does not show behind the last packet of a queue.
   *
   * @param cause null for one of those since that packet
   */
  private void atEnd(LogMark.Content mark, Cause cause) {
    ends.forEach(
        (database, end) -> {
          String queue = queue(database);
          Long marked = queue == null ? null : mark.endSequences().get(queue);
          if (marked != null && marked > end) {
            long from = Math.max(end, firstOfBlock(marked - 1));
            int known = causesBefore.getOrDefault(database, 0);
            found.add(new Found(database, from, marked, cause, known, causes.size()));
          }
        });
    unseen(mark)
        .forEach(
            (queue, end) ->
                add(queue, new Found(0, firstOfBlock(end - 1), end, cause, 0, causes.size())));
  }

  /**
   * The queues of the mark of which the log shows no packet. One whose name cannot be read is known
   * by its last sequence.
   */
  private Map<String, Long> unseen(LogMark.Content mark) {
    Map<String, Long> unseen = new HashMap<>(mark.endSequences());
    ends.keySet().forEach(database -> unseen.remove(queue(database)));
    ends.forEach(
        (database, end) -> {
          if (history.name(database) == null && history.isNameless(database)) {
            unseen.values().remove(end);
          }
        });
    return unseen;
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
      if (history.doubtfulPackets().contains(queue, key.firstSequence())) {
        of(queue, doubtful).add(key.firstSequence(), key.endSequence(), MOVED);
      }
    }
  }
}
