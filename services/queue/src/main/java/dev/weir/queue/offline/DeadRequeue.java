package dev.weir.queue.offline;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.SideCodec;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.SideMessage;
import dev.weir.queue.store.JeDeadLetters;
import dev.weir.queue.store.SideTables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Puts dead letters of a closed directory back, as {@link JeDeadLetters} does in an open one. */
public final class DeadRequeue {
  private static final long BYTES_PER_TRANSACTION = 1 << 20;

  private record Letter(DeadKey key, SideMessage<byte[]> message) {}

  private DeadRequeue() {}

  /**
   * @param sequence null for all
   */
  public static long run(JeFiles files, String queue, Long sequence) {
    if (!files.hasExtra(Extra.DEAD, queue)) {
      return 0;
    }
    long nowMs = System.currentTimeMillis();
    long requeued = 0;
    long from = 0;
    List<Letter> part;
    do {
      part = new ArrayList<>();
      from = read(files.extra(Extra.DEAD, queue), from, sequence, part);
      move(files, queue, part, nowMs);
      requeued += part.size();
    } while (from != 0);
    return requeued;
  }

  /** Reads some from a number on; returns where to go on, 0 for the end. */
  private static long read(Database dead, long from, Long sequence, List<Letter> part) {
    DatabaseEntry key = new DatabaseEntry(DeadKey.from(from));
    DatabaseEntry value = new DatabaseEntry();
    long bytes = 0;
    try (Cursor cursor = dead.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.DEFAULT);
      while (status == OperationStatus.SUCCESS) {
        DeadKey found = DeadKey.of(key.getData());
        if (bytes > BYTES_PER_TRANSACTION) {
          return found.number();
        }
        if (sequence == null || sequence == found.sequence()) {
          add(found, value, part);
          bytes += value.getSize();
        }
        status = cursor.getNext(key, value, LockMode.DEFAULT);
      }
    }
    return 0;
  }

  private static void add(DeadKey key, DatabaseEntry value, List<Letter> part) {
    try {
      ByteBuffer record = ByteBuffer.wrap(value.getData());
      part.add(new Letter(key, SideCodec.decode(key.sequence(), record, Serde.BYTES)));
    } catch (QueueException e) {
      // It stays where it is; verify names it.
    }
  }

  private static void move(JeFiles files, String queue, List<Letter> part, long nowMs) {
    if (part.isEmpty()) {
      return;
    }
    Database dead = files.extra(Extra.DEAD, queue);
    Database side = files.extra(Extra.SIDE, queue);
    QueueTables.transact(
        files,
        Durability.COMMIT_SYNC,
        transaction -> {
          for (Letter letter : part) {
            SideTables.delete(dead, transaction, letter.key.toBytes());
            SideTables.requeue(side, transaction, letter.message, nowMs);
          }
        });
  }
}
