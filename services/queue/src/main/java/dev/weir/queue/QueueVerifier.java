package dev.weir.queue;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.offline.LogPackets;
import dev.weir.queue.offline.LogPackets.Kind;
import dev.weir.queue.offline.LogScan;
import dev.weir.queue.offline.OfflineFiles;
import dev.weir.queue.offline.PacketScan;
import dev.weir.queue.offline.SideScan;
import dev.weir.queue.offline.StoredMessages;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Checks a data directory that no store has open, and changes nothing in it: first the log, byte by
 * byte, because opening it hides what is behind a fault; then every packet.
 */
public final class QueueVerifier {
  private record Table(String queue, Kind kind) {}

  private final Path path;
  private final List<LogFault> faults = new ArrayList<>();
  private final List<QueueCheck> queues = new ArrayList<>();
  private final List<LostPackets> lost = new ArrayList<>();
  private final List<LostPackets> again = new ArrayList<>();
  private final Map<Long, Table> tables = new HashMap<>();
  private final Map<Long, Kind> kinds = new HashMap<>();
  private LogScan scan;
  private LogPackets allPackets;

  private QueueVerifier(Path path) {
    this.path = path;
  }

  /**
   * Checks a directory. Blocks for as long as it takes to read it twice; must not be interrupted.
   *
   * @param path of an existing store
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE} or {@code
   *     NEWER_FORMAT}; damage is not thrown but reported
   */
  public static VerifyReport verify(Path path) {
    StoreDirectory lock = StoreDirectory.openExisting(Checks.notNull("path", path), false);
    try {
      return new QueueVerifier(path).verify();
    } catch (IOException e) {
      throw QueueDirectory.unreadable(path, e);
    } finally {
      lock.close();
    }
  }

  private VerifyReport verify() throws IOException {
    scan = LogScan.of(path, (entry, item, cutOff) -> {});
    faults.addAll(scan.faults());
    Path marker = path.resolve(LogFiles.MARKER);
    if (Files.exists(marker)) {
      String what =
          "a mark that damage was found earlier: the store is not opened while it is there";
      faults.add(new LogFault(LogFiles.MARKER, 0, Files.size(marker), false, 0, what));
    }
    String failure = openFailure();
    return new VerifyReport(
        scan.files(), scan.bytes(), scan.entries(), faults, failure, queues, lost, again);
  }

  /** Checks the queues; null unless that is impossible. */
  private String openFailure() throws IOException {
    try (OfflineFiles files = OfflineFiles.open(path)) {
      for (String queue : files.queues()) {
        know(files, queue);
      }
      files.idsOfOthers(tables.keySet()).forEach(id -> kinds.put(id, Kind.OTHER));
      for (String queue : files.queues()) {
        queues.add(check(files, queue));
      }
      if (faults.stream().anyMatch(LogFault::endOfLog)) {
        cutOff(files);
      }
      return null;
    } catch (QueueException e) {
      if (e.reason() != Reason.STORE_FAILED) {
        throw e;
      }
      return unopened(e.getMessage());
    } catch (DatabaseException e) {
      return unopened("the store in " + path + " cannot be read: " + JeFiles.firstLine(e));
    }
  }

  private void know(OfflineFiles files, String queue) {
    know(queue, Kind.PACKETS, files.tables(queue).packets());
    if (files.has(Extra.SIDE, queue)) {
      know(queue, Kind.SIDE, files.extra(Extra.SIDE, queue));
    }
    if (files.has(Extra.DEAD, queue)) {
      know(queue, Kind.DEAD, files.extra(Extra.DEAD, queue));
    }
  }

  private void know(String queue, Kind kind, Database database) {
    long id = OfflineFiles.idOf(database);
    tables.put(id, new Table(queue, kind));
    kinds.put(id, kind);
  }

  private String unopened(String failure) throws IOException {
    queues.clear();
    lost.clear();
    again.clear();
    add(lost, allPackets().written(), (place, content) -> true, "the store cannot be opened");
    return failure;
  }

  private QueueCheck check(OfflineFiles files, String queue) throws IOException {
    Tally tally = new Tally(queue);
    try {
      PacketScan.run(files, queue, this::isUnreadable, tally);
    } catch (DatabaseException | BufferUnderflowException e) {
      files.revive();
      tally.unreachable(0);
    }
    try {
      SideScan side = new SideScan(files, queue, this::isUnreadable, tally);
      side.lanesBefore(Long.MAX_VALUE);
      side.scheduled();
      side.dead();
    } catch (DatabaseException | BufferUnderflowException e) {
      files.revive();
      tally.damaged(
          new DamagedPacket(queue, 0, 0, null, 0, "and what is scheduled cannot be found"));
    }
    if (tally.unreachable >= 0) {
      unreachable(queue, tally.unreachable);
    }
    return tally.result();
  }

  private void unreachable(String queue, long sequence) throws IOException {
    int before = lost.size();
    String why = "they cannot be found because the index of the queue is damaged";
    Table packets = new Table(queue, Kind.PACKETS);
    add(
        lost,
        allPackets().written(),
        (place, content) ->
            packets.equals(tables.get(place.database())) && content.firstSequence() >= sequence,
        why);
    if (lost.size() == before) {
      lost.add(new LostPackets(queue, 0, 0, sequence, sequence, why));
    }
  }

  /** Read only when it is needed: it may be much. */
  private LogPackets allPackets() throws IOException {
    if (allPackets == null) {
      allPackets = new LogPackets(false, kinds);
      LogScan.of(path, allPackets);
    }
    return allPackets;
  }

  private boolean isUnreadable(long lsn) {
    String file = LogFiles.name(DbLsn.getFileNumber(lsn));
    return Files.notExists(path.resolve(file)) || scan.isDamaged(file, DbLsn.getFileOffset(lsn));
  }

  /** What the last file says behind the fault, and the store does not. */
  private void cutOff(OfflineFiles files) throws IOException {
    LogPackets cutOff = new LogPackets(true, kinds);
    LogScan.of(path, cutOff);
    add(
        lost,
        cutOff.written(),
        (place, content) -> !isThere(files, place),
        "they are behind the first fault of the last file");
    add(
        again,
        cutOff.deleted(),
        (place, content) -> isThere(files, place),
        "they were settled or moved, which is lost");
  }

  private boolean isThere(OfflineFiles files, LogPackets.Place place) {
    Table table = tables.get(place.database());
    if (table == null) {
      return false;
    }
    Database database =
        switch (table.kind) {
          case SIDE -> files.extra(Extra.SIDE, table.queue);
          case DEAD -> files.extra(Extra.DEAD, table.queue);
          default -> files.tables(table.queue).packets();
        };
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    DatabaseEntry key = new DatabaseEntry(place.key().array());
    return database.get(null, key, none, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
  }

  private void add(
      List<LostPackets> to,
      Map<LogPackets.Place, LogPackets.Content> records,
      BiPredicate<LogPackets.Place, LogPackets.Content> which,
      String why) {
    Map<Long, LostPackets> byDatabase = new TreeMap<>();
    records.forEach(
        (place, content) -> {
          if (which.test(place, content)) {
            Table table = tables.get(place.database());
            byDatabase.merge(
                place.database(),
                new LostPackets(
                    table == null ? null : table.queue,
                    1,
                    content.messages(),
                    content.firstSequence(),
                    content.lastSequence(),
                    why),
                QueueVerifier::sum);
          }
        });
    to.addAll(byDatabase.values());
  }

  private static LostPackets sum(LostPackets one, LostPackets other) {
    return new LostPackets(
        one.queue(),
        one.packets() + other.packets(),
        one.messages() + other.messages(),
        Math.min(one.firstSequence(), other.firstSequence()),
        Math.max(one.lastSequence(), other.lastSequence()),
        one.why());
  }

  /** Counts what is intact. */
  private static final class Tally implements PacketScan.Sink, MessageVisitor {
    private final String queue;
    private final List<DamagedPacket> damaged = new ArrayList<>();
    private final Map<State, Long> messages = new EnumMap<>(State.class);
    private final long nowMs = System.currentTimeMillis();
    private long packets;
    private long ofNoUse;
    private long unreachable = -1;

    Tally(String queue) {
      this.queue = queue;
    }

    @Override
    public boolean packet(PacketKey key, Packet<byte[]> packet, long writtenAtMs) {
      packets++;
      for (int i = 0; i < packet.count; i++) {
        if (!packet.isSettled(i)) {
          message(StoredMessages.of(queue, packet, i, writtenAtMs, nowMs));
        }
      }
      return true;
    }

    @Override
    public boolean message(StoredMessage message) {
      if (message.ofNoUse()) {
        ofNoUse++;
      } else {
        messages.merge(message.state(), 1L, Long::sum);
      }
      return true;
    }

    @Override
    public void damaged(DamagedPacket packet) {
      damaged.add(packet);
    }

    @Override
    public void unreachable(long sequence) {
      unreachable = sequence;
    }

    QueueCheck result() {
      return new QueueCheck(
          queue, packets, of(State.WAITING), of(State.SCHEDULED), of(State.DEAD), ofNoUse, damaged);
    }

    private long of(State state) {
      return messages.getOrDefault(state, 0L);
    }
  }
}
