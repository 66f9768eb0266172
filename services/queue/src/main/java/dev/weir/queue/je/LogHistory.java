package dev.weir.queue.je;

import com.sleepycat.je.log.LogEntryType;
import com.sleepycat.je.log.LogUtils;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.LogFault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the whole log says about its entries: which transactions were committed, which entries JE
 * had counted as no longer used, how the databases are named, and what cannot be read. A scan fills
 * it; then {@link #end(long)} is called once.
 */
final class LogHistory implements LogScan.Visitor {
  private static final int NAME_IN_TRANSACTION = LogEntryType.LOG_NAMELN_TRANSACTIONAL.getTypeNum();
  private static final int NAME = LogEntryType.LOG_NAMELN.getTypeNum();
  private static final int DATABASE = LogEntryType.LOG_MAPLN.getTypeNum();
  private static final int FILE_SUMMARY = LogEntryType.LOG_FILESUMMARYLN.getTypeNum();
  private static final int CHECKPOINT_END = LogEntryType.LOG_CKPT_END.getTypeNum();
  private static final int NONE = -1;
  private static final int CLEANED_FILE = LogEntryType.LOG_RESERVED_FILE_LN.getTypeNum();

  /** A transaction without an end so far, or one that may miss entries. */
  private static final class Open {
    final List<Long> lsns = new ArrayList<>();

    /** Places of what its records were before. */
    final List<Long> priorLsns = new ArrayList<>();

    /** Places of its entries that the scan has not shown. */
    final List<Long> unseenLsns = new ArrayList<>();

    /** What it settles. */
    final List<DoubtfulPackets.Settling> settlings = new ArrayList<>();

    long lastLsn = DbLsn.NULL_LSN;
    long lastFile;

    /** True if its end may lie in bytes that cannot be read. */
    boolean endMayBeLost;

    /** Each entry of a transaction names the one before. */
    void follow(long previousLsn) {
      if (previousLsn != lastLsn) {
        unseenLsns.add(previousLsn);
      }
    }
  }

  private record Name(long transaction, String name, long database, boolean deleted) {}

  private final Map<Long, Open> open = new HashMap<>();

  /** Committed transactions of which the scan has not shown all entries. */
  private final Map<Long, Open> incomplete = new HashMap<>();

  private final Set<Long> undone = new HashSet<>();
  private final Set<Long> undoneLsns = new HashSet<>();
  private final Set<Long> inDoubt = new HashSet<>();
  private final Set<Long> inDoubtLsns = new HashSet<>();
  private final Set<Long> keptLsns = new HashSet<>();

  /** Places of lost entries of transactions in doubt. */
  private final Set<Long> lostLsns = new HashSet<>();

  private final DoubtfulPackets doubtfulPackets = new DoubtfulPackets();

  /** What was settled by transactions in doubt, or after one that may be lost as a whole. */
  private final List<DoubtfulPackets.Settling> settlings = new ArrayList<>();

  /** Places of entries that cannot be read and did not move a message to another table. */
  private final Set<Long> noMoves = new HashSet<>();

  private final List<Name> names = new ArrayList<>();

  /** The place of the entry that says that a database exists. */
  private final Map<Long, Long> existing = new HashMap<>();

  /** All databases that the log tells of. */
  private final Set<Long> known = new HashSet<>();

  private final UnusedEntries unused = new UnusedEntries();
  private final TreeMap<Long, List<LogFault>> files = new TreeMap<>();
  private final Map<Long, String> databases = new HashMap<>();
  private long file = -1;
  private long lastWithEntries = -1;
  private boolean isLast;

  /** True behind the end of the log: what was open there was not committed. */
  private boolean ended;

  /** File of the last checkpoint, also of a damaged one, or {@link #NONE}. */
  private long lastCheckpoint = NONE;

  /** From here on the device may have lost what was never forced to it. */
  private long unsyncedFrom = DbLsn.NULL_LSN;

  @Override
  public void file(long number, boolean isLast) {
    this.isLast = isLast;
    if (file >= 0 && number != file + 1) {
      // A file may be missing in between.
      loseEnds(number);
    }
    file = number;
    files.put(number, new ArrayList<>());
  }

  /** The end of a transaction stands close to its last record. */
  private void loseEnds(long at) {
    for (Open each : open.values()) {
      each.endMayBeLost |= each.lastFile >= file - 1 || each.lastFile >= at - 1;
    }
  }

  @Override
  public void logEnds() {
    ended = true;
  }

  @Override
  public void fault(LogFault fault) {
    files.get(file).add(fault);
    if (!ended) {
      loseEnds(file);
    }
  }

  @Override
  public void entry(LogEntry entry, ByteBuffer content) {
    if (ended) {
      return;
    }
    int type = entry.type();
    if (entry.offset() > 0) {
      lastWithEntries = file;
    }
    if (LogWrite.isEnd(entry)) {
      transactionEnds(type == LogWrite.COMMIT, content);
    } else if (type == NAME || type == NAME_IN_TRANSACTION) {
      name(LogWrite.of(content, type == NAME_IN_TRANSACTION), entry);
    } else if (type == CHECKPOINT_END) {
      lastCheckpoint = file;
    } else if (type == DATABASE) {
      database(content, entry.offset());
    } else if (type == FILE_SUMMARY || type == CLEANED_FILE) {
      unused.note(LogWrite.of(content, false), type == CLEANED_FILE, file);
    } else if (LogWrite.isWrite(entry) && LogWrite.isInTransaction(entry)) {
      LogWrite write = LogWrite.of(content, true);
      if (write != null) {
        isIn(write, entry);
      }
    }
  }

  /**
   * A transaction that settles or deletes a message may have written it to another table. If what
   * is lost was a deletion, a packet or progress, it was not that.
   */
  @Override
  public void damaged(LogEntry entry, ByteBuffer content) {
    if (!ended && entry.type() == CHECKPOINT_END) {
      lastCheckpoint = file;
    }
    if (!ended && LogWrite.isWrite(entry) && LogWrite.movesNoMessage(entry, content)) {
      noMoves.add(DbLsn.makeLsn(file, entry.offset()));
    }
  }

  private void isIn(LogWrite write, LogEntry entry) {
    Open its = open.computeIfAbsent(write.transaction(), number -> new Open());
    its.follow(write.previousLsn());
    its.lastLsn = DbLsn.makeLsn(file, entry.offset());
    its.lastFile = file;
    its.lsns.add(its.lastLsn);
    if (write.priorLsn() != DbLsn.NULL_LSN) {
      its.priorLsns.add(write.priorLsn());
    }
    DoubtfulPackets.Settling settling = DoubtfulPackets.Settling.of(write, its.lastLsn);
    if (settling != null) {
      its.settlings.add(settling);
      if (settling.follows() && isUnreadable(settling.priorLsn())) {
        settlings.add(settling);
      }
    }
  }

  private void transactionEnds(boolean committed, ByteBuffer content) {
    long transaction = LogWrite.endedTransaction(content);
    Open its = open.remove(transaction);
    if (!committed) {
      undo(transaction, its);
      return;
    }
    Open known = its == null ? new Open() : its;
    // An end begins with the place of the last entry.
    known.follow(LogUtils.readPackedLong(LogWrite.head(content)));
    if (!known.unseenLsns.isEmpty()) {
      incomplete.put(transaction, known);
    }
  }

  private void undo(long transaction, Open its) {
    undone.add(transaction);
    if (its != null) {
      undoneLsns.addAll(its.lsns);
    }
  }

  private void name(LogWrite write, LogEntry entry) {
    if (write == null) {
      return;
    }
    if (write.transaction() != 0) {
      isIn(write, entry);
    }
    ByteBuffer in = ByteBuffer.wrap(write.key());
    long database = LogUtils.readPackedLong(in);
    boolean deleted = (in.get() & 1) != 0;
    byte[] name = new byte[LogUtils.readPackedInt(in)];
    in.get(name);
    String text = new String(name, StandardCharsets.UTF_8);
    names.add(new Name(write.transaction(), text, database, deleted));
  }

  /** The entry ends with a flag, whether the database is deleted, and its number in digits. */
  private void database(ByteBuffer content, long offset) {
    int at = content.limit();
    while (at > 0 && Character.isDigit(content.get(at - 1))) {
      at--;
    }
    byte[] digits = new byte[content.limit() - at];
    content.get(at, digits);
    boolean isNumber = at > 0 && digits.length > 0 && digits.length < Long.BYTES;
    if (isNumber) {
      long number = Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
      known.add(number);
      if (content.get(at - 1) == 0) {
        existing.put(number, DbLsn.makeLsn(file, offset));
      } else {
        existing.remove(number);
      }
    }
  }

  /**
   * To be called once after the scan.
   *
   * @param certainLsn {@link LogMark.Content#certainLsn}; JE has forced all files but the last
   */
  void end(long certainLsn) {
    unsyncedFrom = Math.max(certainLsn, DbLsn.makeLsn(Math.max(0, lastWithEntries), 0));
    open.forEach(
        (transaction, its) -> {
          if (its.endMayBeLost) {
            doubt(transaction, its);
          } else {
            undo(transaction, its);
          }
        });
    open.clear();
    incomplete.forEach(
        (transaction, its) -> {
          if (its.unseenLsns.stream().anyMatch(this::isLost)) {
            doubt(transaction, its);
          }
        });
    incomplete.clear();
    Map<String, Long> byName = new HashMap<>();
    for (Name name : names) {
      existing.remove(name.database);
      known.add(name.database);
      if (!undone.contains(name.transaction)) {
        if (name.deleted) {
          byName.remove(name.name);
        } else {
          byName.put(name.name, name.database);
        }
      }
    }
    existing.values().removeIf(this::isUnused);
    byName.forEach((name, database) -> databases.put(database, name));
    settlings.removeIf(each -> !isInDoubtAt(each.lsn()) && !isLostMove(each.priorLsn()));
    settlings.forEach(each -> doubtfulPackets.add(name(each.database()), each));
  }

  /** Whether a lost entry may be of a transaction that has moved a message. */
  private boolean isLostMove(long lsn) {
    return lostLsns.contains(lsn) || isLost(lsn);
  }

  private void doubt(long transaction, Open its) {
    inDoubt.add(transaction);
    inDoubtLsns.addAll(its.lsns);
    keptLsns.addAll(its.priorLsns);
    lostLsns.addAll(its.unseenLsns);
    settlings.addAll(its.settlings);
  }

  /** Whether an entry was here that cannot be read, and JE has not deleted its file. */
  private boolean isLost(long lsn) {
    long number = DbLsn.getFileNumber(lsn);
    return lsn != DbLsn.NULL_LSN
        && !noMoves.contains(lsn)
        && isUnreadable(lsn)
        && (files.containsKey(number) || !missing(number, number).isEmpty());
  }

  /** The name of a database, or null. */
  String name(long database) {
    return databases.get(database);
  }

  /** Whether the log shows a database in use whose name cannot be read. */
  boolean isNameless(long database) {
    boolean nothingWasDeleted = files.containsKey(0L) || lastCheckpoint == NONE;
    return existing.containsKey(database) || nothingWasDeleted && !known.contains(database);
  }

  /** Whether a transaction has no effect. */
  boolean isUndone(long transaction) {
    return undone.contains(transaction);
  }

  /** Whether an entry has no effect, because its transaction has none. */
  boolean isUndoneAt(long lsn) {
    return undoneLsns.contains(lsn);
  }

  /** Whether a transaction's end, or a part of it, may lie where nothing can be read. */
  boolean isInDoubt(long transaction) {
    return inDoubt.contains(transaction);
  }

  /** Whether an entry is of a transaction that is {@linkplain #isInDoubt in doubt}. */
  boolean isInDoubtAt(long lsn) {
    return inDoubtLsns.contains(lsn);
  }

  /** Whether an entry is of use again, because what has replaced it is in doubt. */
  boolean isKept(long lsn) {
    return keptLsns.contains(lsn);
  }

  /** The files of a range that are not there, although JE has not deleted them. */
  List<Long> missing(long from, long to) {
    List<Long> missing = new ArrayList<>();
    for (long number = from; number <= to; number++) {
      // JE deletes a file after a checkpoint only, and then forgets what it counted of it.
      if (!files.containsKey(number) && (unused.isKnown(number) || number > lastCheckpoint)) {
        missing.add(number);
      }
    }
    return missing;
  }

  /** Whether there is nothing to read at a position. */
  boolean isUnreadable(long lsn) {
    List<LogFault> faults = files.get(DbLsn.getFileNumber(lsn));
    if (faults == null) {
      return true;
    }
    long offset = DbLsn.getFileOffset(lsn);
    return faults.stream()
        .anyMatch(fault -> offset >= fault.offset() && offset < fault.offset() + fault.bytes());
  }

  /**
   * Whether what was at a position may never have been on the device, so that nobody counted on it:
   * after a loss of power it is no loss.
   */
  boolean isUnsynced(long lsn) {
    return lsn >= unsyncedFrom;
  }

  private boolean isUnused(long lsn) {
    int[] offsets = unused.offsets(DbLsn.getFileNumber(lsn));
    return Arrays.binarySearch(offsets, (int) DbLsn.getFileOffset(lsn)) >= 0;
  }

  /** The packets from which a message may have been moved to where it cannot be read. */
  DoubtfulPackets doubtfulPackets() {
    return doubtfulPackets;
  }

  /** The entries that JE had counted as no longer used. */
  UnusedEntries unused() {
    return unused;
  }
}
