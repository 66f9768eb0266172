package dev.weir.cluster.replica;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The disk of a simulated member: outlives its processes, which may end, or whose replicas may
 * fail, before or after a save.
 */
final class SimDisk implements TransactionLog {
  /** The end of a process in the middle of a save. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;

    Crash() {
      super("crash", null, false, false);
    }
  }

  /** A write that fails; the process goes on, its replica does not. */
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    Full() {
      super("the disk is full", null, false, false);
    }
  }

  private static final int CRASH_AT_RECORD = 80;
  private static final int CRASH_AT_BATCH = 4_000;
  private static final int CRASH_AT_FORCE = 200;
  private static final int CRASH_AT_CHANGE = 40;

  private final SimWorld world;
  private final SimHistory history;
  private final int member;

  /** The member has been taken out of the group. */
  private boolean retired;

  private long diskId;
  private MemoryTransactionLog log = new MemoryTransactionLog();
  private SimHistory.Node head;

  /** Up to where the log was forced to the device. */
  private SimHistory.Node forced;

  /**
   * Up to where the operating system has the log: what its process has not written goes with it.
   */
  private SimHistory.Node written;

  /** What is appended is written later. */
  private boolean buffers;

  private boolean crashes;
  private Runnable yield = () -> {};

  SimDisk(SimWorld world, SimHistory history, int member) {
    this.world = world;
    this.history = history;
    this.member = member;
    this.diskId = world.random.nextLong();
  }

  int member() {
    return retired ? -1 : member;
  }

  boolean isRetired() {
    return retired;
  }

  void retire(boolean is) {
    retired = is;
  }

  SimHistory.Node head() {
    return head;
  }

  /** What is there if the process ends now. */
  SimHistory.Node written() {
    return written;
  }

  /** Appended batches are written by {@link #force} and not before. */
  void buffer() {
    buffers = true;
  }

  /** Whether processes may end at a save. */
  void crashes(boolean may) {
    crashes = may;
  }

  /**
   * A process begins to use the disk. Opening a log forces what was found.
   *
   * @param yield what happens between the steps of a long write
   */
  void attach(Runnable yield) {
    this.yield = yield;
    if (!found().equals(end())) {
      log.reset(LogEnd.EMPTY);
      head = null;
    }
    written = head;
    forced = head;
    buffers = false;
  }

  /** The process has ended. */
  void detach() {
    cutBack(SimHistory.position(written));
    yield =
        () -> {
          throw new Crash();
        };
  }

  /** Whether it holds nothing but, maybe, a vote for the first primary. */
  boolean isBlank() {
    return log.record().inSyncEpoch() == 0 && end().equals(LogEnd.EMPTY);
  }

  /** What a process that opens the log finds; an empty log if it waits for a snapshot. */
  LogEnd found() {
    return start() > 0 && log.snapshot().equals(LogEnd.EMPTY) ? LogEnd.EMPTY : end();
  }

  void wipe() {
    if (!retired) {
      history.loses(member, head);
    }
    log = new MemoryTransactionLog();
    diskId = world.random.nextLong();
    head = null;
    written = null;
    forced = null;
  }

  /** The machine lost power: a part of the log that was not forced is gone. */
  void losePower() {
    tear(SimHistory.position(forced));
  }

  /** A part of the log is gone, forced or not. */
  void tear() {
    tear(0);
  }

  private void tear(long from) {
    SimHistory.Node before = head;
    cutBack(from);
    if (head != before) {
      history.loses(member, before);
    }
  }

  /** Cuts the log at a position or, by chance, at a later one. */
  private void cutBack(long from) {
    long least = Math.max(from, Math.max(log.start(), log.snapshot().position()));
    SimHistory.Node to = head;
    while (SimHistory.position(to) > least && (!isBatch(to.position()) || !world.once(5))) {
      to = to.before();
    }
    if (to != head && isBatch(SimHistory.position(to))) {
      log.truncate(SimHistory.position(to));
      head = to;
      written = SimHistory.cut(written, SimHistory.position(to));
    }
  }

  private boolean isBatch(long position) {
    boolean[] found = new boolean[1];
    try {
      log.read(
          position,
          batch -> {
            found[0] = true;
            return false;
          });
    } catch (IllegalArgumentException e) {
      return false;
    }
    return found[0];
  }

  private void save(int once, Runnable write) {
    boolean fails = crashes && world.once(once);
    if (fails && world.random.nextBoolean()) {
      throw failure();
    }
    write.run();
    if (fails) {
      throw failure();
    }
  }

  private RuntimeException failure() {
    return world.once(3) ? new Full() : new Crash();
  }

  @Override
  public void save(GroupRecord record) {
    GroupRecord before = log.record();
    world.require(record.epoch() >= before.epoch(), member + " never goes back to a lower epoch");
    save(
        CRASH_AT_RECORD,
        () -> {
          log.save(record);
          written = head;
        });
  }

  /** Stores a record while no process runs. */
  void force(GroupRecord record) {
    log.save(record);
  }

  @Override
  public GroupRecord record() {
    return log.record();
  }

  @Override
  public long start() {
    return log.start();
  }

  @Override
  public LogEnd end() {
    return log.end();
  }

  @Override
  public void append(ByteBuffer batch) {
    save(
        CRASH_AT_BATCH,
        () -> {
          log.append(batch);
          head = history.append(head, batch);
          written = buffers ? written : head;
        });
  }

  @Override
  public void force(AckLevel level) {
    written = head;
    if (level == AckLevel.FLUSHED) {
      save(CRASH_AT_FORCE, () -> forced = head);
    }
  }

  @Override
  public LogEnd endOf(long epoch) {
    return log.endOf(epoch);
  }

  @Override
  public boolean isBoundary(long position) {
    return log.isBoundary(position);
  }

  @Override
  public void truncate(long position) {
    save(
        CRASH_AT_CHANGE,
        () -> {
          log.truncate(position);
          head = SimHistory.cut(head, position);
          written = head;
          forced = head;
        });
  }

  @Override
  public void read(long position, BatchHandler handler) {
    log.read(position, handler);
  }

  @Override
  public void trim(long position) {
    log.trim(position);
  }

  @Override
  public void reset(LogEnd end) {
    save(
        CRASH_AT_CHANGE,
        () -> {
          head = history.at(end);
          written = head;
          forced = head;
          log.reset(end);
        });
  }

  @Override
  public void saveSnapshot(LogEnd end, SnapshotWriter writer) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(content));
    yield.run();
    if (crashes && world.once(CRASH_AT_CHANGE)) {
      throw new Crash();
    }
    log.saveSnapshot(end, out -> out.write(content.toByteArray()));
  }

  @Override
  public LogEnd snapshot() {
    return log.snapshot();
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    log.readSnapshot(reader);
  }

  @Override
  public long diskId() {
    return diskId;
  }

  @Override
  public long diskBytes() {
    return 0;
  }

  /** Does nothing: the disk outlives its processes. */
  @Override
  public void close() {}
}
