package dev.weir.queue;

import com.sleepycat.je.DatabaseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that reads packets ahead of their consumers. */
final class StoreReader implements StoreThread.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(StoreReader.class);
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final QueueStore store;
  private final JeFiles files;

  StoreReader(QueueStore store, JeFiles files) {
    this.store = store;
    this.files = files;
  }

  @Override
  public long run() {
    boolean retry = false;
    boolean loaded = false;
    for (JeQueue<?> queue : store.queues()) {
      PacketLine.Load load = queue.beginLoad();
      if (load != null) {
        boolean read = load(queue, load);
        loaded |= read;
        retry |= !read;
      }
    }
    return retry ? RETRY_NS : loaded ? 0 : StoreThread.FOREVER;
  }

  private <T> boolean load(JeQueue<T> queue, PacketLine.Load load) {
    List<QueueTables.Read> records;
    files.beginUse();
    try {
      JeFiles.Tables tables = files.tables(queue.name());
      records =
          QueueTables.read(tables, load.fromSequence(), load.packets(), queue.readAheadBytes());
    } catch (DatabaseException | IllegalStateException e) {
      LOG.warn("queue {}: cannot read, will try again: {}", queue.name(), JeFiles.firstLine(e));
      queue.failLoad();
      return false;
    } finally {
      files.endUse();
    }
    if (records.isEmpty()) {
      LOG.error("queue {}: packets from {} on are missing", queue.name(), load.fromSequence());
      queue.failLoad();
      return false;
    }
    decode(queue, records);
    return true;
  }

  private static <T> void decode(JeQueue<T> queue, List<QueueTables.Read> records) {
    List<Packet<T>> packets = new ArrayList<>(records.size());
    for (QueueTables.Read read : records) {
      try {
        Packet<T> packet = PacketCodec.decode(read.key(), read.value(), queue.serde());
        queue.restore(packet);
        packets.add(packet);
      } catch (RuntimeException e) {
        LOG.error("queue {}: {} messages are lost", queue.name(), read.key().count(), e);
        queue.endLoad(packets);
        packets = new ArrayList<>();
        queue.skipCorrupt(read.key());
      }
    }
    queue.endLoad(packets);
  }
}
