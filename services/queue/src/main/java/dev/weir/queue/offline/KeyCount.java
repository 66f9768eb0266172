package dev.weir.queue.offline;

import dev.weir.queue.QueueSummary;
import dev.weir.queue.je.OpenTables;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketProgress;
import java.util.Map;

/** Counts what a queue holds by reading keys and progress, but no message. */
public final class KeyCount {
  private long waiting;
  private long scheduled;
  private long dead;
  private long transients;
  private long bytes;
  private long packets;
  private long lastSequence = -1;
  private final long nowMs = System.currentTimeMillis();

  private KeyCount() {}

  /** Counts one queue. */
  public static QueueSummary of(OpenTables tables, String queue) {
    KeyCount count = new KeyCount();
    Map<Long, PacketProgress> progress = QueueTables.progress(tables, queue);
    tables.forEachKey(Table.PACKETS, queue, key -> count.packet(PacketKey.of(key), progress));
    tables.forEachKey(Table.DEFERRED, queue, key -> count.detached(DeferredKey.of(key)));
    tables.forEachKey(Table.DEAD, queue, key -> count.dead(DeadKey.of(key)));
    return new QueueSummary(
        queue,
        count.waiting,
        count.scheduled,
        count.dead,
        count.transients,
        count.bytes,
        count.packets,
        count.lastSequence);
  }

  private void packet(PacketKey key, Map<Long, PacketProgress> progress) {
    PacketProgress known = progress.get(key.firstSequence());
    waiting += known == null ? key.keep() : known.keep();
    transients += known == null ? key.alive() - key.keep() : known.transients();
    bytes += key.bytes();
    packets++;
    seen(key.firstSequence() + key.count() - 1);
  }

  private void seen(long sequence) {
    lastSequence = Math.max(lastSequence, sequence);
  }

  private void detached(DeferredKey key) {
    if (key.kind() == DeferredKey.DELIVERIES) {
      return;
    }
    bytes += key.bytes();
    seen(key.sequence());
    if (key.isTransient()) {
      transients++;
    } else if (key.isDue() && key.order() > nowMs) {
      scheduled++;
    } else {
      waiting++;
    }
  }

  private void dead(DeadKey key) {
    bytes += key.bytes();
    seen(key.sequence());
    dead++;
  }
}
