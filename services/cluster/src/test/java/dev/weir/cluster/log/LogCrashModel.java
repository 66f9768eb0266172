package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a log may hold after its process, a {@link LogCrashChild}, was killed. Told by its lines, of
 * which the last may be cut off:
 *
 * <pre>
 * e epoch position   an epoch begins
 * F position         forced up to there
 * t T position       truncated
 * s S epoch position a snapshot saved
 * c position         trimmed to there, or less
 * x X epoch position reset and a snapshot saved
 * r R number         a record saved
 * </pre>
 */
final class LogCrashModel {
  /** Ends a line. */
  static final String WHOLE = " .";

  /** Beginnings of the epochs by position. */
  private TreeMap<Long, Long> epochs = new TreeMap<>();

  /** Where a history that was replaced started: it has no epochs before. */
  private LogEnd base = LogEnd.EMPTY;

  /** At least so much is there. */
  private long forced;

  /** At most so much is trimmed. */
  private long trimmed;

  /** All that were saved and not cut off. */
  private List<LogEnd> snapshots = new ArrayList<>();

  /** The last of them was saved after the last truncation, so it is kept. */
  private boolean lastIsKept;

  /** What was begun and not told to be done; it may be. */
  private LogEnd begunSnapshot;

  private long begunTruncation = -1;
  private LogEnd begunReset;
  private Long record;
  private Long begunRecord;

  /** Something was appended since the last truncation, maybe. */
  private boolean appends;

  /** Batches read and compared. */
  long kept;

  /** The batch that is at a position in an epoch, whoever appends it. */
  static ByteBuffer batch(ByteBuffer buffer, long epoch, long position) {
    int mix = (int) ((epoch * 31 + position) * 0x9E3779B9L >>> 8) & 0xffff;
    int messages = 1 + mix % 4;
    int bodyBytes = mix % 50 == 7 ? 100_000 : mix % 700;
    return TestBatches.put(buffer.clear(), 0, epoch, position, messages, bodyBytes);
  }

  /** Where batches start, from a position on. */
  static List<Long> positions(TransactionLog log, long from) {
    List<Long> starts = new ArrayList<>();
    log.read(log.start(), batch -> starts.add(Batch.position(batch, batch.position())));
    starts.removeIf(start -> start < from);
    return starts;
  }

  void take(List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ");
      if (line.endsWith(WHOLE)) {
        take(line.charAt(0), words);
      }
    }
  }

  private void take(char what, String[] words) {
    long first = Long.parseLong(words[1]);
    LogEnd end = words.length > 3 ? new LogEnd(first, Long.parseLong(words[2])) : null;
    switch (what) {
      case 'e' -> {
        epochs.put(end.position(), first);
        appends = true;
      }
      case 'F' -> forced = first;
      case 't' -> {
        begunTruncation = first;
        forced = Math.min(forced, first);
        lastIsKept = false;
      }
      case 'T' -> truncated(first);
      case 's' -> begunSnapshot = end;
      case 'S' -> saved(end);
      case 'c' -> trimmed = Math.max(trimmed, first);
      case 'x' -> begunReset = end;
      case 'X' -> reset(end);
      case 'r' -> begunRecord = first;
      case 'R' -> {
        record = first;
        begunRecord = null;
      }
      default -> throw new AssertionError(what);
    }
  }

  private void truncated(long position) {
    begunTruncation = -1;
    forced = position;
    appends = false;
    epochs.tailMap(position, true).clear();
    snapshots.removeIf(one -> one.position() > position);
  }

  private void saved(LogEnd end) {
    begunSnapshot = null;
    snapshots.add(end);
    lastIsKept = true;
  }

  private void reset(LogEnd end) {
    begunReset = null;
    base = end;
    epochs.clear();
    forced = end.position();
    trimmed = end.position();
    appends = false;
    lastIsKept = !end.equals(LogEnd.EMPTY);
    snapshots = new ArrayList<>(lastIsKept ? List.of(end) : List.of());
  }

  /** Checks what a log holds, and goes on from there. */
  void check(TransactionLog log) {
    checkRecord(log);
    if (begunReset != null && isReset(log)) {
      LogEnd end = log.snapshot().equals(begunReset) ? begunReset : LogEnd.EMPTY;
      reset(end);
    }
    begunReset = null;
    long end = checkBatches(log);
    assertThat(log.start()).isLessThanOrEqualTo(Math.max(trimmed, base.position()));
    assertThat(end).as("the end").isGreaterThanOrEqualTo(forced);
    if (!appends && begunTruncation < 0) {
      assertThat(end).as("the end after a truncation").isEqualTo(forced);
    }
    checkSnapshot(log);
    goOn(end);
    checkEpochs(log);
  }

  private boolean isReset(TransactionLog log) {
    return log.snapshot().equals(begunReset)
        || log.end().equals(LogEnd.EMPTY) && !base.equals(LogEnd.EMPTY)
        || log.end().equals(LogEnd.EMPTY) && forced > 0;
  }

  private void checkRecord(TransactionLog log) {
    GroupRecord found = log.record();
    if (begunRecord != null && found.epoch() == begunRecord) {
      record = begunRecord;
    }
    begunRecord = null;
    assertThat(found)
        .isEqualTo(record == null ? GroupRecord.NONE : new GroupRecord(record, 1, 2, 3, record));
  }

  /** Returns the end. */
  private long checkBatches(TransactionLog log) {
    long[] next = {log.start()};
    ByteBuffer expected = ByteBuffer.allocate(1 << 20);
    if (log.start() < log.end().position()) {
      log.read(
          log.start(),
          batch -> {
            Map.Entry<Long, Long> epoch = epochs.floorEntry(next[0]);
            assertThat(epoch).as("epoch at " + next[0]).isNotNull();
            assertThat(batch)
                .as("batch at " + next[0])
                .isEqualTo(batch(expected, epoch.getValue(), next[0]));
            next[0] += Batch.count(batch, batch.position());
            kept++;
            return true;
          });
    }
    assertThat(log.end().position()).isEqualTo(next[0]);
    return next[0];
  }

  private void checkSnapshot(TransactionLog log) {
    LogEnd found = log.snapshot();
    if (begunSnapshot != null && found.equals(begunSnapshot)) {
      saved(begunSnapshot);
    }
    if (lastIsKept) {
      assertThat(found).isEqualTo(snapshots.get(snapshots.size() - 1));
    } else if (!found.equals(LogEnd.EMPTY)) {
      assertThat(found).isIn(snapshots);
    }
    assertThat(found.position())
        .as("the snapshot, in a log from " + log.start())
        .isBetween(log.start(), log.end().position());
    snapshots.removeIf(one -> one.position() > found.position());
    assertThat(TransactionLogContract.state(log))
        .isEqualTo(found.equals(LogEnd.EMPTY) ? -1 : found.position());
  }

  private void goOn(long end) {
    begunTruncation = -1;
    begunSnapshot = null;
    forced = end;
    appends = false;
    epochs.tailMap(end, true).clear();
  }

  private void checkEpochs(TransactionLog log) {
    LogEnd last = base;
    for (Map.Entry<Long, Long> epoch : epochs.entrySet()) {
      if (!last.equals(LogEnd.EMPTY)) {
        assertThat(log.endOf(last.epoch())).isEqualTo(new LogEnd(last.epoch(), epoch.getKey()));
      }
      last = new LogEnd(epoch.getValue(), epoch.getKey());
    }
    assertThat(log.end().epoch()).isEqualTo(last.epoch());
  }

  /** Highest epoch told of, so that the next process takes others. */
  static long highestEpoch(List<String> lines) {
    Set<Character> withEpoch = Set.of('e', 'x', 'X');
    return lines.stream()
        .filter(line -> line.endsWith(WHOLE) && withEpoch.contains(line.charAt(0)))
        .map(line -> Long.parseLong(line.split(" ")[1]))
        .collect(Collectors.reducing(0L, Math::max));
  }
}
