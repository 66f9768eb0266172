package dev.weir.queue;

import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Transaction;
import dev.weir.queue.JeQueue.WriteBatch;
import dev.weir.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. Each turn takes what waits in all queues, writes it in one
 * transaction, commits as durably as the most demanding message asks, and then tells the senders:
 * under load packets and transactions grow, at rest a message goes alone.
 */
final class StoreWriter implements StoreThread.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int KEPT_SCRATCH_BYTES = 8 << 20;

  private final QueueStore store;
  private final JeFiles files;
  private final long lazyNs;
  private ByteBuffer scratch = ByteBuffer.allocate(256 << 10);
  private long nextLazyNs;
  private long reclaimedDeletes;
  private volatile Reason fault;

  StoreWriter(QueueStore store, JeFiles files) {
    this.store = store;
    this.files = files;
    this.lazyNs = TimeUnit.MILLISECONDS.toNanos(store.options().getAckFlushMs());
  }

  /** Why nothing can be appended, or null. */
  Reason fault() {
    return fault;
  }

  @Override
  public long run() {
    long now = System.nanoTime();
    boolean urgent = false;
    boolean lazy = false;
    for (JeQueue<?> queue : store.queues()) {
      urgent |= queue.hasUrgentWork();
      lazy |= queue.hasLazyWork();
    }
    if (fault != null) {
      return repair() ? 0 : RETRY_NS;
    }
    if (!urgent && !lazy) {
      return StoreThread.FOREVER;
    }
    if (!urgent && now - nextLazyNs < 0) {
      return nextLazyNs - now;
    }
    if (urgent && !hasRoom()) {
      fail(DISK_FULL, null);
      return RETRY_NS;
    }
    nextLazyNs = now + lazyNs;
    write(true);
    return 0;
  }

  /** Writes one transaction; false if it failed. */
  boolean write(boolean packets) {
    List<WriteBatch<?>> batches = new ArrayList<>();
    for (JeQueue<?> queue : store.queues()) {
      WriteBatch<?> batch = queue.beginWrite(packets);
      if (!batch.isEmpty()) {
        batches.add(batch);
      }
    }
    return batches.isEmpty() || commit(batches);
  }

  private boolean commit(List<WriteBatch<?>> batches) {
    long[] bytes = new long[batches.size()];
    Transaction transaction = null;
    files.beginUse();
    try {
      transaction = files.begin();
      Durability durability = Durability.NONE;
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = write(batches.get(i), transaction);
        for (Packet<?> packet : batches.get(i).packets()) {
          durability = packet.durability.compareTo(durability) > 0 ? packet.durability : durability;
        }
      }
      transaction.commit(je(durability));
    } catch (DatabaseException | IllegalStateException e) {
      abort(transaction);
      batches.forEach(StoreWriter::abort);
      fail(e instanceof DiskLimitException ? DISK_FULL : STORE_FAILED, e);
      return false;
    } finally {
      files.endUse();
    }
    for (int i = 0; i < bytes.length; i++) {
      end(batches.get(i), bytes[i]);
    }
    return true;
  }

  private static com.sleepycat.je.Durability je(Durability durability) {
    return switch (durability) {
      case NONE -> com.sleepycat.je.Durability.COMMIT_NO_SYNC;
      case PROCESS -> com.sleepycat.je.Durability.COMMIT_WRITE_NO_SYNC;
      case MACHINE -> com.sleepycat.je.Durability.COMMIT_SYNC;
    };
  }

  private <T> long write(WriteBatch<T> batch, Transaction transaction) {
    JeFiles.Tables tables = files.tables(batch.queue().name());
    long nowMs = System.currentTimeMillis();
    long bytes = 0;
    for (Packet<T> packet : batch.packets()) {
      ByteBuffer out = scratch(packet.bytes);
      PacketCodec.encode(packet, batch.queue().serde(), nowMs, out);
      QueueTables.put(tables, transaction, packet.writeKey, out);
      bytes += out.remaining();
    }
    for (Packet<T> packet : batch.deletes()) {
      QueueTables.delete(tables, transaction, packet.key, packet.progressOnDisk);
    }
    for (Packet<T> packet : batch.dirty()) {
      QueueTables.putProgress(tables, transaction, packet);
      packet.progressOnDisk = true;
    }
    return bytes;
  }

  private ByteBuffer scratch(int bytes) {
    if (scratch.capacity() < bytes) {
      ByteBuffer larger = ByteBuffer.allocate(Math.max(bytes, scratch.capacity() * 2));
      if (bytes > KEPT_SCRATCH_BYTES) {
        return larger;
      }
      scratch = larger;
    }
    return scratch;
  }

  private static <T> void end(WriteBatch<T> batch, long bytes) {
    batch.queue().endWrite(batch, bytes);
  }

  private static <T> void abort(WriteBatch<T> batch) {
    batch.queue().abortWrite(batch);
  }

  private static void abort(Transaction transaction) {
    if (transaction != null) {
      try {
        transaction.abort();
      } catch (DatabaseException | IllegalStateException e) {
        LOG.debug("abort failed, the environment is invalid", e);
      }
    }
  }

  private boolean hasRoom() {
    try {
      return files.usableBytes() >= store.options().getMinFreeBytes();
    } catch (IOException e) {
      LOG.warn("cannot ask for the free space of {}", store.options().getDirectory(), e);
      return true;
    }
  }

  private void fail(Reason reason, Exception cause) {
    if (fault != reason) {
      LOG.error(
          "{} in {}: nothing is appended until it is over{}",
          reason,
          store.options().getDirectory(),
          cause == null ? "" : " (" + JeFiles.firstLine(cause) + ")");
    }
    fault = reason;
    store.queues().forEach(queue -> queue.storeFault(reason));
  }

  /** Tries to get out of a fault; deletes go on so that a full disk can become empty. */
  private boolean repair() {
    Reason reason = fault;
    try {
      if (!files.isValid()) {
        files.reopen();
        LOG.info("store in {} reopened", store.options().getDirectory());
      }
      boolean written = write(false);
      if (written && !hasRoom()) {
        reclaim();
      }
      if (!written || !hasRoom()) {
        store.queues().forEach(queue -> queue.storeFault(reason));
        return false;
      }
    } catch (QueueException | DatabaseException | IllegalStateException e) {
      LOG.debug("store in {} is still unusable", store.options().getDirectory(), e);
      store.queues().forEach(queue -> queue.storeFault(reason));
      return false;
    }
    fault = null;
    LOG.info("store in {} writes again", store.options().getDirectory());
    store.queues().forEach(JeQueue::storeRecovered);
    return true;
  }

  private void reclaim() {
    files.beginUse();
    try {
      files.reclaim();
    } finally {
      files.endUse();
    }
  }
}
