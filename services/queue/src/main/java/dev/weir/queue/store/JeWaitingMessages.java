package dev.weir.queue.store;

import dev.weir.options.Checks;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.WaitingMessage;
import dev.weir.queue.WaitingMessages;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.DiskRegion;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketProgress;
import dev.weir.queue.line.WaitingView;
import dev.weir.queue.line.WaitingView.Result;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The waiting messages of a queue for people. All work is done by the writer thread, between its
 * transactions, so that nothing is written meanwhile; much work is done in parts.
 */
final class JeWaitingMessages<T> implements WaitingMessages<T> {
  private static final int KEYS_PER_PART = 10_000;
  private static final long READ_BYTES = 1 << 20;
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final byte[] FIRST = {};

  private final StoreEngine store;
  private final JeFiles files;
  private final StoredQueue<T> queue;
  private final QueueState<T> state;
  private final WaitingView<T> view;

  JeWaitingMessages(StoreEngine store, StoredQueue<T> queue, QueueState<T> state) {
    this.store = store;
    this.files = store.files();
    this.queue = queue;
    this.state = state;
    this.view = new WaitingView<>(state.dispatcher);
  }

  /** Runs a part of the work on the writer thread. */
  private <V> V call(Supplier<V> work) {
    return store
        .tasks()
        .call(
            () -> {
              if (state.locked(() -> state.closed)) {
                throw state.limits.failure(Reason.CLOSED);
              }
              return work.get();
            });
  }

  // ---- listing

  @Override
  public List<WaitingMessage<T>> list(long fromSequence, int max) {
    Checks.range("max", max, 1, MAX_LIST);
    long from = Math.max(0, fromSequence);
    WaitingPage<T> page;
    do {
      page = page(from, max);
      from = page.end();
    } while (page.messages().isEmpty() && from != Long.MAX_VALUE);
    return page.messages();
  }

  @Override
  public Optional<WaitingMessage<T>> read(long sequence) {
    return list(sequence, 1).stream().filter(found -> found.sequence() == sequence).findFirst();
  }

  @Override
  public Optional<WaitingMessage<T>> find(String id) {
    Checks.notNull("id", id);
    List<WaitingMessage<T>> page = list(0, MAX_LIST);
    while (!page.isEmpty()) {
      for (WaitingMessage<T> message : page) {
        if (id.equals(message.options().id())) {
          return Optional.of(message);
        }
      }
      page = list(page.get(page.size() - 1).sequence() + 1, MAX_LIST);
    }
    return Optional.empty();
  }

  /** A message that moves beside the packets meanwhile is found before its move, or after it. */
  private WaitingPage<T> page(long from, int max) {
    WaitingPage<T> page = call(() -> addPackets(new WaitingPage<>(from, max)));
    PriorityQueue<DeferredKey> beside =
        new PriorityQueue<>(Comparator.comparingLong(DeferredKey::sequence).reversed());
    forEachKey(
        (key, isUnread) -> {
          if (isUnread && key.sequence() >= from) {
            beside.add(key);
            if (beside.size() > max) {
              beside.poll();
            }
          }
        });
    List<DeferredKey> keys = new ArrayList<>(beside);
    keys.sort(Comparator.comparingLong(DeferredKey::sequence));
    return call(() -> addRecords(page, keys));
  }

  /** Shows the keys of messages beside the packets, and whether the message is on disk only. */
  private void forEachKey(BiConsumer<DeferredKey, Boolean> each) {
    byte[] from = FIRST;
    while (from != null) {
      byte[] start = from;
      Map<DeferredKey, Boolean> part = new LinkedHashMap<>();
      from =
          call(
              () -> {
                byte[] next =
                    DetachedTables.forEachKey(
                        files, queue.name(), start, KEYS_PER_PART, key -> part.put(key, false));
                return state.locked(
                    () -> {
                      part.replaceAll((key, unknown) -> view.isUnread(key));
                      return next;
                    });
              });
      part.forEach(each);
    }
  }

  /** Adds what is in memory, and the messages of packets on disk. */
  private WaitingPage<T> addPackets(WaitingPage<T> page) {
    long nowMs = state.nowMs();
    long[] range =
        state.locked(
            () -> {
              view.forEach(nowMs, page::add);
              return new long[] {view.firstInPackets(), view.endOfPacketsOnDisk()};
            });
    addPackets(page, Math.max(page.from(), range[0]), range[1], nowMs);
    return page;
  }

  /** Adds what is in memory by now, and messages beside the packets. */
  private WaitingPage<T> addRecords(WaitingPage<T> page, List<DeferredKey> beside) {
    long nowMs = state.nowMs();
    state.locked(
        () -> {
          view.forEach(nowMs, page::add);
          return null;
        });
    for (DeferredKey key : beside) {
      if (key.sequence() >= page.end()) {
        break;
      }
      DetachedMessage<T> message = DetachedTables.read(files, queue.name(), queue.serde(), key);
      if (message != null) {
        page.add(WaitingView.besidePackets(message, key, nowMs));
      }
    }
    return page;
  }

  private void addPackets(WaitingPage<T> page, long first, long end, long nowMs) {
    // The packet of the first message may begin before it.
    Packet<byte[]> firstPacket = QueueTables.packetOf(files.tables(), queue.name(), first);
    long from = firstPacket == null ? first : firstPacket.firstSequence;
    long maxBytes = READ_BYTES;
    while (from < Math.min(end, page.end())) {
      DiskRegion.Load load = new DiskRegion.Load(from, end, 0, 0, 0, maxBytes);
      QueueTables.Found found = QueueTables.read(files.tables(), queue.name(), load);
      for (QueueTables.Read record : found.records()) {
        addPacket(page, record, first, nowMs);
      }
      int last = found.records().size() - 1;
      if (found.exhausted()) {
        from = end;
      } else if (last >= 0) {
        from = found.records().get(last).key().endSequence();
      } else {
        maxBytes *= 2;
      }
    }
  }

  private void addPacket(WaitingPage<T> page, QueueTables.Read record, long first, long nowMs) {
    QueueTables.Read whole =
        new QueueTables.Read(record.key(), files.tables().packet(record, ByteBuffer::allocate));
    long writtenAtMs = PacketCodec.writtenAtMs(whole.value());
    Packet<T> packet = QueueTables.decode(files.tables(), queue.name(), whole, queue.serde());
    for (int i = 0; packet != null && i < packet.count; i++) {
      boolean useless =
          packet.isTransient(i) && packet.firstSequence < queue.recovery().nextSequence();
      if (!packet.isSettled(i) && !useless && packet.firstSequence + i >= first) {
        int index = i;
        page.add(state.locked(() -> view.inPacket(packet, index, writtenAtMs, nowMs)));
      }
    }
  }

  // ---- deleting

  @Override
  public Deletion delete(String id) {
    return find(id).map(found -> delete(found.sequence())).orElse(Deletion.NOT_FOUND);
  }

  @Override
  public Deletion delete(long sequence) {
    Deletion deleted = tryDelete(sequence, false);
    while (deleted == null) {
      LockSupport.parkNanos(PAUSE_NS);
      deleted = tryDelete(sequence, true);
    }
    return deleted;
  }

  /** Null if it is to be repeated. */
  private Deletion tryDelete(long sequence, boolean isRepeated) {
    queue.purges().await();
    Purges.Purge[] written = new Purges.Purge[1];
    Result result = call(() -> giveUp(() -> view.giveUp(sequence), written));
    if (result == Result.ABSENT) {
      List<DeferredKey> found = new ArrayList<>();
      forEachKey(
          (key, isUnread) -> {
            if (key.sequence() == sequence) {
              found.add(key);
            }
          });
      return call(
          () ->
              found.isEmpty()
                  ? deleteInPacket(sequence, isRepeated)
                  : deleteRecord(found.get(0), isRepeated));
    }
    if (result == Result.BEING_WRITTEN) {
      refuseFault();
      return null;
    }
    await(written[0]);
    return Deletion.DELETED;
  }

  /** Nothing is written until the fault of the store is over. */
  private void refuseFault() {
    Reason fault = store.fault();
    if (fault != null) {
      throw state.limits.failure(fault);
    }
  }

  /** On the writer thread; waits for nothing. */
  private Result giveUp(Supplier<Result> work, Purges.Purge[] written) {
    Result[] result = new Result[1];
    state.change(
        () -> {
          result[0] = work.get();
          if (result[0] == Result.GIVEN_UP) {
            written[0] = state.purges.begin(state.dispatcher.purged());
            state.purges.endDeferred(written[0]);
          }
        });
    return result[0];
  }

  private static void await(Purges.Purge written) {
    try {
      written.done.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof QueueException failure ? failure : e;
    }
  }

  /** Deletes a message beside the packets; null if it may have been read just now. */
  private Deletion deleteRecord(DeferredKey key, boolean isRepeated) {
    if (!state.locked(() -> view.isUnread(key))) {
      return isRepeated ? Deletion.IN_DELIVERY : null;
    }
    if (queue.purges().isRunning() || !DetachedTables.delete(files, queue.name(), key)) {
      return null;
    }
    store.deleted();
    state.change(() -> view.giveUp(key));
    return Deletion.DELETED;
  }

  /** Deletes a message of a packet on disk; null if the packet may have been read just now. */
  private Deletion deleteInPacket(long sequence, boolean isRepeated) {
    Packet<byte[]> packet = QueueTables.packetOf(files.tables(), queue.name(), sequence);
    int index = packet == null ? 0 : (int) (sequence - packet.firstSequence);
    boolean useless =
        packet == null || packet.isTransient(index) && sequence < queue.recovery().nextSequence();
    if (useless || !packet.settle(index)) {
      return Deletion.NOT_FOUND;
    }
    // First in memory: a consumer may come at any moment, and must not be given what is deleted.
    Result[] result = new Result[1];
    state.change(() -> result[0] = view.giveUpOnDisk(sequence));
    if (result[0] != Result.GIVEN_UP) {
      return isRepeated ? Deletion.IN_DELIVERY : null;
    }
    try {
      QueueTables.transact(
          files,
          Durability.PROCESS,
          transaction ->
              QueueTables.putProgress(
                  files.tables(), queue.name(), transaction, packet, PacketProgress.of(packet)));
    } catch (RuntimeException | Error e) {
      state.change(() -> view.takeBackOnDisk(sequence));
      throw e;
    }
    return Deletion.DELETED;
  }
}
