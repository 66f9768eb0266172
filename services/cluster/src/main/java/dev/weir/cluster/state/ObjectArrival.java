package dev.weir.cluster.state;

import dev.weir.cluster.log.ChunkedBytes;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.Spool;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A snapshot that comes from a primary, for a replica whose objects are on its disk. Each object is
 * written there when it comes. What is left to read is the snapshot without them, as {@link
 * PagedValues} would have saved it.
 */
final class ObjectArrival implements Spool {
  private final StoredObjects.Arrival objects;

  /** What comes before the objects; once all of that is there, what is left to read. */
  private ChunkedBytes head = new ChunkedBytes();

  /** The head is not complete with so many bytes. */
  private long incomplete;

  private boolean hasHead;
  private long size;

  /** Objects that are still to come. */
  private int missing;

  /** Id and length of the next object. */
  private final ByteBuffer next = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);

  /** The object of which a part has come; null if there is none. */
  private ByteBuffer object;

  ObjectArrival(StoredObjects.Arrival objects) {
    this.objects = objects;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    size += length;
    try {
      if (hasHead) {
        addObjects(ByteBuffer.wrap(source, offset, length));
        return;
      }
      head.write(source, offset, length);
      // Looked at again when there is twice as much, so that the time is that of a few looks.
      if (size >= 2 * incomplete) {
        readHead();
      }
    } catch (IOException e) {
      throw new LogException("a snapshot of the primary cannot be stored", e);
    }
  }

  private void readHead() throws IOException {
    byte[] rest;
    try (DataInputStream in = new DataInputStream(head.read())) {
      SessionsView.skip(in);
      int format = in.readInt();
      missing = in.readInt();
      if (format != TransactionLog.OBJECTS_FORMAT || missing < 0) {
        throw ObjectValues.unknown(format, missing, TransactionLog.OBJECTS_FORMAT);
      }
      rest = in.readAllBytes();
    } catch (EOFException e) {
      incomplete = size;
      return;
    }
    hasHead = true;
    head = stored(head.size() - rest.length - 2 * Integer.BYTES);
    addObjects(ByteBuffer.wrap(rest));
  }

  /** The sessions, of so many bytes, and how many objects there are elsewhere. */
  private ChunkedBytes stored(long sessionBytes) throws IOException {
    ChunkedBytes stored = new ChunkedBytes();
    DataOutputStream out = new DataOutputStream(stored);
    try (InputStream in = head.read()) {
      byte[] piece = new byte[1 << 16];
      for (long left = sessionBytes; left > 0; ) {
        int read = in.read(piece, 0, (int) Math.min(left, piece.length));
        out.write(piece, 0, read);
        left -= read;
      }
    }
    out.writeInt(PagedValues.FORMAT);
    out.writeInt(missing);
    return stored;
  }

  private void addObjects(ByteBuffer part) throws IOException {
    while (part.hasRemaining()) {
      if (object == null) {
        move(part, next);
        if (next.hasRemaining()) {
          return;
        }
        beginObject();
      }
      move(part, object);
      if (!object.hasRemaining()) {
        objects.put(next.getLong(0), object.array());
        object = null;
        next.clear();
      }
    }
  }

  private void beginObject() throws IOException {
    int length = next.getInt(Long.BYTES);
    if (length < 0 || missing == 0) {
      throw new IOException(
          "object %d of %d bytes comes where %d objects are missing"
              .formatted(next.getLong(0), length, missing));
    }
    missing--;
    object = ByteBuffer.allocate(length);
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    int part = Math.min(from.remaining(), to.remaining());
    to.put(to.position(), from, from.position(), part).position(to.position() + part);
    from.position(from.position() + part);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public InputStream read() {
    if (!hasHead && size > 0) {
      readAtEnd();
    }
    if (!hasHead || missing > 0 || object != null || next.position() > 0) {
      throw new LogException(
          "a snapshot of the primary cannot be stored",
          new EOFException("it ends where %d objects are missing".formatted(missing)));
    }
    objects.complete();
    return head.read();
  }

  private void readAtEnd() {
    try {
      readHead();
    } catch (IOException e) {
      throw new LogException("a snapshot of the primary cannot be stored", e);
    }
  }

  @Override
  public void discard() {
    objects.discard();
    head.discard();
  }
}
