package dev.weir.cluster.log;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/**
 * The objects of a snapshot as one stream, whatever changes while it is read: for each object its
 * id, the number of its bytes and the bytes. They are read some at a time, and no cursor stays
 * open.
 */
final class ObjectCopy extends InputStream {
  private static final int PIECE_BYTES = 64 << 10;

  /** Nobody else uses the objects while a piece is read. */
  private static final long PIECE_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private final JeObjects objects;
  private final long mark;
  private final long version;
  private byte[] piece = {};
  private int at;

  /** Objects that are still to come. */
  private int missing;

  /** The least id that may come next. */
  private long next = Long.MIN_VALUE;

  private boolean ended;

  ObjectCopy(JeObjects objects, long mark, int count, long version) {
    this.objects = objects;
    this.mark = mark;
    this.missing = count;
    this.version = version;
  }

  long mark() {
    return mark;
  }

  long version() {
    return version;
  }

  /** Objects that should have come; 0 unless all have been read. */
  int missing() {
    return ended ? missing : 0;
  }

  /** Some more objects, maybe none; all of them have been read then if it {@link #ended}. */
  byte[] read(Database now, Database undo) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DatabaseEntry key = ObjectKeys.of(next);
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = now.openCursor(null, null);
        UndoCursor before = new UndoCursor(undo, next, mark)) {
      DataOutputStream out = new DataOutputStream(bytes);
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      long startNs = System.nanoTime();
      while (!ended && bytes.size() < PIECE_BYTES && System.nanoTime() - startNs < PIECE_NS) {
        boolean isNow = status == OperationStatus.SUCCESS;
        if (!isNow && !before.isFound()) {
          ended = true;
          break;
        }
        long nowId = isNow ? ObjectKeys.id(key) : Long.MAX_VALUE;
        boolean isBefore = before.isFound() && (!isNow || before.id() <= nowId);
        long id = isBefore ? before.id() : nowId;
        byte[] object = isBefore ? before.before() : value.getData();
        if (isNow && nowId == id) {
          status = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED);
        }
        if (isBefore) {
          before.nextObject();
        }
        if (object != null) {
          missing--;
          out.writeLong(id);
          out.writeInt(object.length);
          out.write(object);
        }
        ended = id == Long.MAX_VALUE;
        next = id + 1;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private boolean hasMore() throws IOException {
    while (at == piece.length && !ended) {
      piece = objects.next(this);
      at = 0;
    }
    return at < piece.length;
  }

  @Override
  public int read() throws IOException {
    return hasMore() ? piece[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int part = Math.min(length, piece.length - at);
    System.arraycopy(piece, at, target, offset, part);
    at += part;
    return part;
  }

  @Override
  public void close() {
    objects.ended(this);
  }
}
