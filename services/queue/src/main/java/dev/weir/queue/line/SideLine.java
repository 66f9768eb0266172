package dev.weir.queue.line;

import dev.weir.queue.QueueException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that cannot be delivered when their turn comes, without locks, threads or files.
 * They wait for their time (delayed, or to be tried again) on disk, or for the messages of their
 * lane before them, in memory while there is room and then on disk:
 *
 * <pre>
 *   schedule -> moves -> due on disk -> ready -> poll
 *   hold     -> window of the lane ------------> poll
 *            -> moves -> lane on disk -> window
 * </pre>
 *
 * @param <T> the message type
 */
public final class SideLine<T> {
  /** Messages in the windows of all lanes, except that a lane that is free gets one always. */
  private static final int MAX_WINDOW_MESSAGES = 10_000;

  private static final int MAX_READY_LANES = 1_000;
  private static final long LANE_LOAD_BYTES = 64 << 10;

  private final long memoryBytes;
  private final long maxUnwrittenBytes;

  private final Map<Long, Lane<T>> lanes = new HashMap<>();
  private final ArrayDeque<TakenMessage<T>> ready = new ArrayDeque<>();

  /** Free lanes with messages in memory, and free lanes with messages on disk only. */
  private final ArrayDeque<Lane<T>> readyLanes = new ArrayDeque<>();

  private final ArrayDeque<Lane<T>> lanesToLoad = new ArrayDeque<>();

  private final ArrayDeque<SideMove<T>> moves = new ArrayDeque<>();

  /** Moves that were taken to be written, but not committed; their packets know them as gone. */
  private final ArrayDeque<SideMove<T>> again = new ArrayDeque<>();

  private List<SideKey> deletes = new ArrayList<>();
  private List<SideMessage<T>> dirty = new ArrayList<>();
  private final Map<Long, Object> attachments = new HashMap<>();
  private final List<PacketLine.Lost> losses = new ArrayList<>();
  private Map<Long, Integer> recoveredDeliveries = new HashMap<>();

  private long dueOnDisk;
  private long nextDueMs = Long.MAX_VALUE;
  private long loadedDueMs;
  private long loadedNumber;
  private long readyBytes;
  private long windowMessages;
  private long windowBytes;
  private long unwrittenBytes;
  private long nextNumber;

  /** Lanes go to the disk only when the line has passed this sequence; -1 once it has. */
  private long resumeAfter = -1;

  /** Purges under way. */
  private int purging;

  /** The lane the last polled message came from, or null. */
  private Lane<T> polled;

  /** Messages that wait for their time. */
  long scheduled;

  /** Messages whose time has come, or that wait for their lane. */
  long held;

  long unacknowledged;
  public long bytes;
  public long purged;
  long lost;

  /**
   * @param memoryBytes what may be in memory to be delivered, twice
   * @param maxUnwrittenBytes with more on the way to disk no message is taken from the line
   * @param firstNumber larger than every place in a lane used before
   */
  SideLine(long memoryBytes, long maxUnwrittenBytes, long firstNumber) {
    this.memoryBytes = memoryBytes;
    this.maxUnwrittenBytes = maxUnwrittenBytes;
    this.nextNumber = firstNumber;
  }

  public void recover(SideRecovery found) {
    dueOnDisk = found.due;
    nextDueMs = found.nextDueMs;
    scheduled = found.due;
    bytes = found.bytes;
    recoveredDeliveries = found.deliveries;
    found.closedLanes.forEach(id -> lane(id).closed = true);
    found.lanes.forEach(
        (id, messages) -> {
          lane(id).onDisk = messages;
          held += messages;
        });
    found.firstSequences.forEach(
        (id, first) -> {
          lane(id).firstSequence = first;
          resumeAfter = Math.max(resumeAfter, first);
        });
  }

  private Lane<T> lane(long id) {
    return lanes.computeIfAbsent(id, Lane::new);
  }

  /** Some lanes wait for the line to come to where it was before a restart. */
  boolean isResuming() {
    return resumeAfter >= 0;
  }

  /** Tells how far the line is. */
  public void resume(long takenBefore) {
    if (takenBefore > resumeAfter) {
      resumeAfter = -1;
      List.copyOf(lanes.values()).forEach(this::refresh);
    }
  }

  // ---- delivering

  boolean pollable() {
    return purging == 0 && (!ready.isEmpty() || !readyLanes.isEmpty());
  }

  /** Nothing more is to be taken from the line at the moment. */
  boolean isBlocked() {
    return purging > 0 || unwrittenBytes > maxUnwrittenBytes || isResuming() && isWindowFull();
  }

  private boolean isWindowFull() {
    return windowMessages >= MAX_WINDOW_MESSAGES || windowBytes >= memoryBytes;
  }

  /** The next message that is ready; it has its lane only if it waited to be tried again. */
  TakenMessage<T> poll() {
    polled = null;
    TakenMessage<T> next = purging > 0 ? null : ready.poll();
    if (next != null) {
      readyBytes -= next.sizeBytes();
      held--;
      return next;
    }
    while (purging == 0 && !readyLanes.isEmpty()) {
      Lane<T> lane = readyLanes.poll();
      lane.listed = false;
      if (!lane.closed) {
        polled = lane;
        return pollWindow(lane);
      }
    }
    return null;
  }

  private TakenMessage<T> pollWindow(Lane<T> lane) {
    TakenMessage<T> next = lane.window.poll();
    windowMessages--;
    windowBytes -= next.sizeBytes();
    held--;
    return next;
  }

  /** The last polled message is done with or elsewhere: its lane can go on. */
  void passed() {
    if (polled != null) {
      refresh(polled);
      polled = null;
    }
  }

  /** Closes a lane behind a message; false if the message has to wait in it. */
  boolean enter(long id, TakenMessage<T> next) {
    Lane<T> lane = lane(id);
    boolean first =
        lane.isEmpty() || lane == polled || lane.window.isEmpty() && isEarly(lane, next);
    if (lane.closed || !first) {
      return false;
    }
    lane.closed = true;
    next.blockedKeyQueue = id;
    polled = null;
    return true;
  }

  boolean isClosed(long id) {
    Lane<T> lane = lanes.get(id);
    return lane != null && lane.closed;
  }

  /** It was taken from the line before what is on disk in its lane. */
  private boolean isEarly(Lane<T> lane, TakenMessage<T> next) {
    return isResuming() && next.side() == null && next.sequence() < lane.firstSequence;
  }

  /** Lets a message wait for those of its lane before it. */
  void hold(long id, TakenMessage<T> next) {
    Lane<T> lane = lane(id);
    held++;
    if (isEarly(lane, next) || !lane.isSpilling() && !isWindowFull()) {
      lane.window.add(next);
      windowMessages++;
      windowBytes += next.sizeBytes();
    } else {
      SideMessage<T> message = next.detached();
      SideKey to =
          SideKey.lane(
              id,
              nextNumber++,
              message.sequence,
              message.isTransient,
              next.side() == null,
              message.bytes());
      lane.pending++;
      move(new SideMove<>(next, message, to, 0));
    }
  }

  /** Opens the lane of a message that is done with. */
  void leave(TakenMessage<T> delivery) {
    open(delivery.blockedKeyQueue);
    delivery.blockedKeyQueue = 0;
  }

  private void open(long id) {
    Lane<T> lane = id == 0 ? null : lanes.get(id);
    if (lane != null) {
      lane.closed = false;
      refresh(lane);
    }
  }

  private void refresh(Lane<T> lane) {
    if (lane.listed || lane.closed) {
      return;
    }
    if (!lane.window.isEmpty()) {
      lane.listed = true;
      readyLanes.add(lane);
    } else if (lane.onDisk > 0 && !isResuming()) {
      lane.listed = true;
      lanesToLoad.add(lane);
    } else if (lane.isEmpty()) {
      lanes.remove(lane.id);
    }
  }

  /** A message of the side table goes to the consumer. */
  void delivered(SideMessage<T> message) {
    unacknowledged++;
    message.deliveries = Math.min(Packet.MAX_DELIVERIES, message.deliveries + 1);
    if (!message.dirty) {
      message.dirty = true;
      dirty.add(message);
    }
  }

  // ---- leaving

  /** Lets a message wait for its time; if it keeps its lane closed, it does so until then. */
  void schedule(TakenMessage<T> delivery, SideMessage<T> message, long dueMs) {
    scheduled++;
    move(
        new SideMove<>(
            delivery,
            message,
            SideKey.due(
                Math.max(0, dueMs),
                message.sequence,
                delivery.blockedKeyQueue,
                message.isTransient,
                message.bytes()),
            0));
  }

  void schedule(TakenMessage<T> delivery, long dueMs) {
    schedule(delivery, delivery.detached(), dueMs);
  }

  /** Makes a dead letter of a message; its lane opens when that is committed. */
  void bury(TakenMessage<T> delivery, SideMessage<T> message) {
    move(new SideMove<>(delivery, message, null, delivery.blockedKeyQueue));
  }

  private void move(SideMove<T> move) {
    leftLane(move.from, 1);
    bytes += move.to == null ? 0 : move.to.bytes();
    bytes -= move.from == null ? 0 : move.from.bytes();
    unwrittenBytes += move.message.bytes();
    moves.add(move);
  }

  /**
   * A message leaves its lane's records.
   *
   * @param from null if it was in none
   */
  private void leftLane(SideKey from, int messages) {
    Lane<T> lane = from == null || from.isDue() ? null : lanes.get(from.lane());
    if (lane != null) {
      lane.loaded -= messages;
    }
  }

  /** A message of the side table is done with. */
  void delete(SideMessage<T> message) {
    leftLane(message.key, 1);
    bytes -= message.key.bytes();
    deletes.add(message.key);
    if (message.deliveriesOnDisk) {
      deletes.add(SideKey.deliveries(message.sequence));
    }
    message.key = null;
  }

  // ---- writing

  public boolean wantsWrite() {
    return purging == 0 && !moves.isEmpty() || !again.isEmpty();
  }

  public boolean wantsUpkeep() {
    return !deletes.isEmpty() || !dirty.isEmpty();
  }

  /**
   * Takes what is to be written. Those that leave a packet are to be settled there, so that the
   * same transaction has both.
   *
   * @param fresh false to take only what was taken before
   */
  List<SideMove<T>> takeMoves(boolean fresh, long maxBytes) {
    List<SideMove<T>> taken = new ArrayList<>(again);
    again.clear();
    long rest = maxBytes;
    while (fresh && purging == 0 && rest > 0 && !moves.isEmpty()) {
      SideMove<T> move = moves.poll();
      rest -= move.message.bytes();
      taken.add(move);
    }
    return taken;
  }

  public List<SideKey> takeDeletes() {
    List<SideKey> taken = deletes;
    deletes = new ArrayList<>();
    return taken;
  }

  /** How often messages of the side table have been delivered, where it changed. */
  public List<SideMessage<T>> takeDirty() {
    List<SideMessage<T>> taken = dirty;
    dirty = new ArrayList<>();
    taken.forEach(message -> message.dirty = false);
    taken.removeIf(message -> message.key == null);
    taken.forEach(message -> message.deliveriesOnDisk = true);
    return taken;
  }

  public void endWrite(List<SideMove<T>> written) {
    for (SideMove<T> move : written) {
      unwrittenBytes -= move.message.bytes();
      move.message.key = move.to;
      move.message.deliveriesOnDisk = false;
      if (move.to == null) {
        open(move.lane);
      } else if (move.to.isDue()) {
        arrivedDue(move);
      } else {
        arrivedInLane(move);
      }
      if (move.broken) {
        lost++;
        lose(move.message.attachment, Reason.UNWRITABLE);
      }
    }
  }

  private void arrivedDue(SideMove<T> move) {
    SideKey key = move.to;
    boolean passed =
        key.order() < loadedDueMs || key.order() == loadedDueMs && key.number() <= loadedNumber;
    if (move.broken) {
      scheduled--;
      bytes -= key.bytes();
      open(key.lane());
    } else if (passed) {
      scheduled--;
      makeReady(move.message);
    } else {
      dueOnDisk++;
      nextDueMs = Math.min(nextDueMs, key.order());
      keepAttachment(move.message);
    }
  }

  private void arrivedInLane(SideMove<T> move) {
    Lane<T> lane = lanes.get(move.to.lane());
    lane.pending--;
    if (move.broken) {
      held--;
      bytes -= move.to.bytes();
    } else {
      lane.onDisk++;
      keepAttachment(move.message);
    }
    refresh(lane);
  }

  private void keepAttachment(SideMessage<T> message) {
    if (message.attachment != null) {
      attachments.put(message.sequence, message.attachment);
    }
  }

  public void abortWrite(
      List<SideMove<T>> taken, List<SideKey> takenDeletes, List<SideMessage<T>> counts) {
    again.addAll(taken);
    deletes.addAll(takenDeletes);
    for (SideMessage<T> message : counts) {
      if (!message.dirty) {
        message.dirty = true;
        dirty.add(message);
      }
    }
  }

  // ---- reading

  /** When there may be something to read again, ms since 1970. */
  public long nextDueMs() {
    boolean enough = readyBytes >= memoryBytes / 2 || ready.size() >= MAX_WINDOW_MESSAGES / 2;
    return dueOnDisk == 0 || enough || purging > 0 ? Long.MAX_VALUE : nextDueMs;
  }

  public boolean wantsLaneLoad() {
    return purging == 0 && !lanesToLoad.isEmpty() && readyLanes.size() < MAX_READY_LANES;
  }

  /** What to read now, or null. */
  public SideLoad beginLoad(long nowMs) {
    if (wantsLaneLoad()) {
      Lane<T> lane = lanesToLoad.peek();
      int most = isWindowFull() ? 1 : MAX_WINDOW_MESSAGES;
      return new SideLoad(
          SideKey.LANE, lane.id, lane.loadedNumber + 1, lane.id, most, LANE_LOAD_BYTES);
    }
    if (nextDueMs() <= nowMs) {
      return new SideLoad(
          SideKey.DUE, loadedDueMs, loadedNumber + 1, nowMs, MAX_WINDOW_MESSAGES, memoryBytes);
    }
    return null;
  }

  public void endLoad(SideLoad load, SideLoad.Found<T> found) {
    if (load.kind() == SideKey.DUE) {
      endDueLoad(found);
    } else {
      endLaneLoad(found);
    }
  }

  private void endDueLoad(SideLoad.Found<T> found) {
    for (SideLoad.Loaded<T> loaded : found.records()) {
      dueOnDisk--;
      scheduled--;
      loadedDueMs = loaded.key().order();
      loadedNumber = loaded.key().number();
      if (restore(loaded)) {
        makeReady(loaded.message());
      } else {
        open(loaded.key().lane());
      }
    }
    nextDueMs = found.nextOrder();
    if (nextDueMs == Long.MAX_VALUE && dueOnDisk > 0) {
      lost += dueOnDisk;
      scheduled -= dueOnDisk;
      dueOnDisk = 0;
    }
  }

  private void makeReady(SideMessage<T> message) {
    TakenMessage<T> delivery = new TakenMessage<>(message);
    delivery.blockedKeyQueue = message.key.lane();
    readyBytes += delivery.sizeBytes();
    held++;
    ready.add(delivery);
  }

  private void endLaneLoad(SideLoad.Found<T> found) {
    Lane<T> lane = lanesToLoad.poll();
    lane.listed = false;
    for (SideLoad.Loaded<T> loaded : found.records()) {
      lane.onDisk--;
      lane.loadedNumber = loaded.key().number();
      if (restore(loaded)) {
        TakenMessage<T> delivery = new TakenMessage<>(loaded.message());
        lane.loaded++;
        lane.window.add(delivery);
        windowMessages++;
        windowBytes += delivery.sizeBytes();
      } else {
        held--;
      }
    }
    if (found.exhausted() && lane.onDisk > 0) {
      lost += lane.onDisk;
      held -= lane.onDisk;
      lane.onDisk = 0;
    }
    refresh(lane);
  }

  /** False if it cannot be read. */
  private boolean restore(SideLoad.Loaded<T> loaded) {
    SideMessage<T> message = loaded.message();
    if (message == null || message.message == null) {
      lost++;
      bytes -= loaded.key().bytes();
      lose(attachments.remove(loaded.key().sequence()), Reason.CORRUPT);
      return false;
    }
    message.key = loaded.key();
    message.attachment = attachments.remove(message.sequence);
    Integer deliveries = recoveredDeliveries.remove(message.sequence);
    if (deliveries != null) {
      message.deliveriesOnDisk = true;
      message.deliveries = Math.max(message.deliveries, deliveries);
    }
    return true;
  }

  // ---- dead letters that come back

  /** A time that was not read up to yet. */
  public long soonMs(long nowMs) {
    return Math.max(nowMs, loadedDueMs + 1);
  }

  /** A record was added to the table. */
  public void requeued(SideKey key) {
    scheduled++;
    dueOnDisk++;
    bytes += key.bytes();
    nextDueMs = Math.min(nextDueMs, key.order());
  }

  // ---- purging

  /**
   * Gives up what is in memory and has not been delivered; returns it, to be settled. Until {@link
   * #endPurge} nothing is read, written, delivered or taken from the line, so that what comes later
   * stays.
   */
  public List<TakenMessage<T>> beginPurge() {
    purging++;
    List<TakenMessage<T>> given = takeMemory();
    purgeMoves(given);
    return giveUp(given);
  }

  public boolean isPurging() {
    return purging > 0;
  }

  /** The same once more, for what was just being read or written when the purge began. */
  public List<TakenMessage<T>> purgeArrived() {
    return giveUp(takeMemory());
  }

  private List<TakenMessage<T>> takeMemory() {
    List<TakenMessage<T>> given = new ArrayList<>(ready);
    ready.clear();
    readyBytes = 0;
    for (Lane<T> lane : lanes.values()) {
      given.addAll(lane.window);
      lane.window.clear();
    }
    windowMessages = 0;
    windowBytes = 0;
    readyLanes.forEach(lane -> lane.listed = false);
    readyLanes.clear();
    held -= given.size();
    return given;
  }

  private List<TakenMessage<T>> giveUp(List<TakenMessage<T>> given) {
    purged += given.size();
    given.forEach(delivery -> lose(delivery.attachment(), Reason.PURGED));
    given.forEach(this::leave);
    List.copyOf(lanes.values()).forEach(this::refresh);
    return given;
  }

  /** Messages on the way to the side table do not get there; dead letters go on. */
  private void purgeMoves(List<TakenMessage<T>> given) {
    moves.removeIf(
        move -> {
          if (move.to == null) {
            return false;
          }
          leftLane(move.from, -1);
          unwrittenBytes -= move.message.bytes();
          bytes -= move.to.bytes();
          bytes += move.from == null ? 0 : move.from.bytes();
          if (move.to.isDue()) {
            scheduled--;
            move.delivery.blockedKeyQueue = move.to.lane();
          } else {
            held--;
            lane(move.to.lane()).pending--;
          }
          given.add(move.delivery);
          return true;
        });
  }

  public void endPurge() {
    purging--;
  }

  /** Which records are to be deleted next, or null if there are none. */
  public SideLoad nextPurge(int maxRecords) {
    if (dueOnDisk > 0) {
      return new SideLoad(
          SideKey.DUE, loadedDueMs, loadedNumber + 1, Long.MAX_VALUE, maxRecords, Long.MAX_VALUE);
    }
    for (Lane<T> lane : lanes.values()) {
      if (lane.onDisk > 0) {
        return new SideLoad(
            SideKey.LANE, lane.id, lane.loadedNumber + 1, lane.id, maxRecords, Long.MAX_VALUE);
      }
    }
    return null;
  }

  /** The records were deleted; fewer than asked for means that there are no more. */
  public void purged(SideLoad asked, List<SideKey> deleted) {
    boolean due = asked.kind() == SideKey.DUE;
    boolean last = deleted.size() < asked.maxRecords();
    for (SideKey key : deleted) {
      bytes -= key.bytes();
      purged++;
      lose(attachments.remove(key.sequence()), Reason.PURGED);
    }
    if (due) {
      long gone = last ? dueOnDisk : deleted.size();
      dueOnDisk -= gone;
      scheduled -= gone;
      nextDueMs = last ? Long.MAX_VALUE : nextDueMs;
      deleted.forEach(key -> open(key.lane()));
    } else {
      Lane<T> lane = lanes.get(asked.order());
      long gone = last ? lane.onDisk : deleted.size();
      lane.onDisk -= gone;
      held -= gone;
      refresh(lane);
    }
  }

  // ---- losing

  private void lose(Object attachment, Reason reason) {
    if (attachment != null) {
      losses.add(new PacketLine.Lost(attachment, reason));
    }
  }

  void takeLosses(List<PacketLine.Lost> into) {
    into.addAll(losses);
    losses.clear();
  }

  boolean hasLosses() {
    return !losses.isEmpty();
  }

  /** Nothing will be delivered any more. */
  public void endClose() {
    moves.forEach(move -> lose(move.message.attachment, Reason.CLOSED));
    again.forEach(move -> lose(move.message.attachment, Reason.CLOSED));
    ready.forEach(delivery -> lose(delivery.attachment(), Reason.CLOSED));
    lanes.values().stream()
        .flatMap(lane -> lane.window.stream())
        .forEach(delivery -> lose(delivery.attachment(), Reason.CLOSED));
    attachments.values().forEach(attachment -> lose(attachment, Reason.CLOSED));
  }
}
