package dev.weir.queue.store;

import dev.weir.options.HeapExhaustion;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.DiskRegion;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketLine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The duty of the reader thread: reads packets from disk ahead of their consumers. */
public final class StoreReader implements StoreThread.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(StoreReader.class);
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final StoreEngine store;
  private final JeFiles files;
  private final Scratch scratch = new Scratch();
  private boolean failing;

  StoreReader(StoreEngine store, JeFiles files) {
    this.store = store;
    this.files = files;
  }

  @Override
  public long run() {
    boolean loaded = false;
    boolean failed = false;
    for (StoredQueue<?> queue : store.queues()) {
      if ((queue.work() & QueueWork.READ) != 0) {
        boolean read = load(queue);
        loaded |= read;
        failed |= !read;
      }
    }
    failing = failed;
    return failed ? RETRY_NS : loaded ? 0 : StoreThread.FOREVER;
  }

  /** Reads packets of one queue; false if the read must be repeated. */
  private <T> boolean load(StoredQueue<T> queue) {
    DiskRegion.Load load = queue.beginLoad();
    if (load == null) {
      return true;
    }
    List<PacketLine.Loaded<T>> loaded = new ArrayList<>();
    try {
      QueueTables.Found found = find(queue, load);
      for (QueueTables.Read record : found.records()) {
        loaded.add(decode(queue, record.key(), packet(queue, record)));
      }
      if (found.exhausted() && loaded.size() < load.packets()) {
        LOG.error("queue {}: packets before {} are missing", queue.name(), load.endSequence());
      }
      queue.endLoad(load, loaded, found.exhausted());
      return true;
    } catch (RuntimeException | Error e) {
      HeapExhaustion.report(e);
      if (!failing) {
        LOG.warn("queue {}: cannot read, will try again: {}", queue.name(), JeFiles.firstLine(e));
      }
      if (loaded.isEmpty()) {
        queue.failLoad();
      } else {
        // These have their progress; what failed is read again.
        queue.endLoad(load, loaded, false);
      }
      // The writer thread reopens the files.
      store.wakeWriter();
      return false;
    }
  }

  private QueueTables.Found find(StoredQueue<?> queue, DiskRegion.Load load) {
    files.beginUse();
    try {
      return QueueTables.read(files.tables(), queue.name(), load);
    } finally {
      files.endUse();
    }
  }

  private ByteBuffer packet(StoredQueue<?> queue, QueueTables.Read record) {
    boolean isDirect = queue.serde().takesDirectBuffers();
    files.beginUse();
    try {
      return files.tables().packet(record, bytes -> scratch.of(bytes, isDirect));
    } finally {
      files.endUse();
    }
  }

  private static <T> PacketLine.Loaded<T> decode(
      StoredQueue<T> queue, PacketKey key, ByteBuffer record) {
    int alive = queue.recovery().alive(key);
    Packet<T> packet = null;
    try {
      Packet<T> decoded = PacketCodec.decode(key, record, queue.serde());
      queue.recovery().restore(decoded);
      packet = decoded;
    } catch (RuntimeException e) {
      if (HeapExhaustion.isCause(e)) {
        throw e;
      }
      LOG.error("queue {}: {} messages are lost", queue.name(), alive, e);
    }
    return new PacketLine.Loaded<>(key, alive, packet);
  }
}
