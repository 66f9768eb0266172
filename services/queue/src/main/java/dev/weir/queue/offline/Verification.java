package dev.weir.queue.offline;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.LogFault;
import dev.weir.queue.LostPackets;
import dev.weir.queue.QueueCheck;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.VerifyReport;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogRecords;
import dev.weir.queue.je.LogRecords.Content;
import dev.weir.queue.je.LogRecords.Place;
import dev.weir.queue.je.LogRecords.Source;
import dev.weir.queue.je.LogScan;
import dev.weir.queue.je.ReadOnlyFiles;
import dev.weir.queue.je.Table;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * One check of a closed directory. It reads the log byte by byte first, because opening the store
 * hides what lies after a fault, and then every message. Nothing is changed.
 */
public final class Verification {
  private static final Source UNKNOWN = new Source(null, null);

  private final Path path;
  private final List<LogFault> faults = new ArrayList<>();
  private final List<QueueCheck> queues = new ArrayList<>();
  private final List<LostPackets> lost = new ArrayList<>();
  private final List<LostPackets> redelivered = new ArrayList<>();

  /** What the databases hold; empty if the store cannot be opened. */
  private Map<Long, Source> databases = Map.of();

  private LogScan scan;
  private LogRecords allRecords;

  public Verification(Path path) {
    this.path = path;
  }

  /** Runs the check; call it once. */
  public VerifyReport run() throws IOException {
    scan = LogScan.of(path, LogScan.Visitor.NONE);
    faults.addAll(scan.faults());
    Path marker = path.resolve(LogFiles.MARKER);
    if (Files.exists(marker)) {
      String what =
          "a mark that damage was found earlier: the store is not opened while it is there";
      faults.add(new LogFault(LogFiles.MARKER, 0, Files.size(marker), false, 0, what));
    }
    String failure = checkQueues();
    return new VerifyReport(
        scan.files(), scan.bytes(), scan.entries(), faults, failure, queues, lost, redelivered);
  }

  /** Checks the queues; returns why the store cannot be opened, or null. */
  private String checkQueues() throws IOException {
    try (ReadOnlyFiles files = ReadOnlyFiles.open(path)) {
      databases = files.databases();
      for (String queue : files.tables().queues()) {
        queues.add(check(files, queue));
      }
      if (faults.stream().anyMatch(LogFault::endOfLog)) {
        compareWithCutOffEnd(files);
      }
      return null;
    } catch (QueueException e) {
      if (e.reason() != Reason.STORE_FAILED) {
        throw e;
      }
      return unopened(e.getMessage());
    } catch (RuntimeException e) {
      if (!JeFiles.isStoreFailure(e)) {
        throw e;
      }
      return unopened("the store in " + path + " cannot be read: " + JeFiles.firstLine(e));
    }
  }

  private String unopened(String failure) throws IOException {
    queues.clear();
    lost.clear();
    redelivered.clear();
    add(lost, allRecords().written(), (place, content) -> true, "the store cannot be opened");
    return failure;
  }

  private QueueCheck check(ReadOnlyFiles files, String queue) throws IOException {
    Tally tally = new Tally(queue);
    QueueScan messages = new QueueScan(files, queue, scan::isDamaged, tally);
    try {
      messages.packets();
    } catch (RuntimeException e) {
      recover(files, e);
      tally.unreachable(queue, 0);
    }
    try {
      messages.findBlocked();
      messages.blocked();
      messages.scheduled();
      messages.dead();
    } catch (RuntimeException e) {
      recover(files, e);
      String what = "and the scheduled messages cannot be found";
      tally.damaged(new DamagedPacket(queue, 0, 0, null, 0, what));
    }
    if (tally.unreachableFrom >= 0) {
      unreachable(queue, tally.unreachableFrom);
    }
    return tally.result();
  }

  /** Goes on after a failure that damage explains. */
  private static void recover(ReadOnlyFiles files, RuntimeException failure) {
    if (!(failure instanceof BufferUnderflowException) && !JeFiles.isStoreFailure(failure)) {
      throw failure;
    }
    files.reopenIfInvalid();
  }

  private void unreachable(String queue, long sequence) throws IOException {
    int before = lost.size();
    String why = "the index of the queue is damaged, so they cannot be found";
    Source packets = new Source(Table.PACKETS, queue);
    add(
        lost,
        allRecords().written(),
        (place, content) -> packets.equals(source(place)) && content.firstSequence() >= sequence,
        why);
    if (lost.size() == before) {
      lost.add(new LostPackets(queue, 0, 0, sequence, sequence, why));
    }
  }

  /** All records that the log shows; read only when needed, because they may be many. */
  private LogRecords allRecords() throws IOException {
    if (allRecords == null) {
      allRecords = new LogRecords(false, databases);
      LogScan.of(path, allRecords);
    }
    return allRecords;
  }

  /** Finds what the last file shows after its first fault and the opened store does not. */
  private void compareWithCutOffEnd(ReadOnlyFiles files) throws IOException {
    LogRecords cutOff = new LogRecords(true, databases);
    LogScan.of(path, cutOff);
    add(
        lost,
        cutOff.written(),
        (place, content) -> !isThere(files, place),
        "they were written after the first fault of the last file");
    add(
        redelivered,
        cutOff.deleted(),
        (place, content) -> isThere(files, place),
        "the record that they were settled or moved is lost");
  }

  private boolean isThere(ReadOnlyFiles files, Place place) {
    Source source = source(place);
    return source.table() != null
        && files.contains(source.table(), source.queue(), place.key().array());
  }

  private Source source(Place place) {
    return databases.getOrDefault(place.database(), UNKNOWN);
  }

  /** Adds the chosen records to a list, summed up by database. */
  private void add(
      List<LostPackets> to,
      Map<Place, Content> records,
      BiPredicate<Place, Content> chosen,
      String why) {
    Map<Long, LostPackets> byDatabase = new TreeMap<>();
    records.forEach(
        (place, content) -> {
          if (chosen.test(place, content)) {
            byDatabase.merge(
                place.database(),
                new LostPackets(
                    source(place).queue(),
                    1,
                    content.messages(),
                    content.firstSequence(),
                    content.lastSequence(),
                    why),
                Verification::sum);
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

  /** Counts the intact messages of a queue and collects what is damaged. */
  private static final class Tally implements QueueScan.Visitor {
    private final String queue;
    private final List<DamagedPacket> damaged = new ArrayList<>();
    private final Map<State, Long> messages = new EnumMap<>(State.class);
    private long packets;
    private long transients;

    /** The sequence from which packets cannot be found, or -1. */
    private long unreachableFrom = -1;

    Tally(String queue) {
      this.queue = queue;
    }

    @Override
    public void packet() {
      packets++;
    }

    @Override
    public boolean message(StoredMessage message) {
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

    @Override
    public void unreachable(String queue, long sequence) {
      unreachableFrom = sequence;
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
