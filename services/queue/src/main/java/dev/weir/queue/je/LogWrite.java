package dev.weir.queue.je;

import com.sleepycat.je.log.LogUtils;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.line.PacketKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * An entry of JE's log (versions 16 and 17) that writes or deletes a record. It has two bytes of
 * flags, the number of the database, in a transaction its number, some numbers that the flags
 * announce, the value with its length, and the key.
 *
 * @param database number of the database
 * @param transaction number of the transaction, 0 for none
 * @param previousLsn place of the entry before of the same transaction, or {@link DbLsn#NULL_LSN}
 * @param priorLsn place of what the record was before the transaction, or {@link DbLsn#NULL_LSN}
 * @param isEmbedded true if the index holds the value too, and this entry is not used any more
 * @param value null if the record is deleted
 * @param rest what follows the value: of a user's record the key
 */
record LogWrite(
    long database,
    long transaction,
    long previousLsn,
    long priorLsn,
    boolean isEmbedded,
    ByteBuffer value,
    ByteBuffer rest) {

  static final int COMMIT = 17;
  private static final int ABORT = 18;

  /** Deletes in and outside of transactions, then inserts, then updates. */
  static final int DELETED_IN_TRANSACTION = 31;

  static final int DELETED = 32;
  static final int UPDATED = 36;

  private static final int EMBEDDED = 0x02;
  private static final int ABORT_KEY = 0x04;
  private static final int ABORT_DATA = 0x08;
  private static final int ABORT_VLSN = 0x10;
  private static final int ABORT_LSN = 0x20;
  private static final int ABORT_EXPIRATION = 0x40;
  private static final int EXPIRATION = 0x80;
  private static final int PRIOR_SIZE = 0x01;
  private static final int PRIOR_FILE = 0x02;

  /** More than all before the value; packed numbers can be read from an array only. */
  private static final int HEAD_BYTES = 256;

  /** Whether an entry writes or deletes a record of a store. */
  static boolean isWrite(LogEntry entry) {
    return entry.type() >= DELETED_IN_TRANSACTION && entry.type() <= UPDATED;
  }

  /** Entries of transactions have odd types. */
  static boolean isInTransaction(LogEntry entry) {
    return entry.type() % 2 == 1;
  }

  /** Whether an entry ends a transaction. */
  static boolean isEnd(LogEntry entry) {
    return entry.type() == COMMIT || entry.type() == ABORT;
  }

  /** The number of the transaction that an entry ends. */
  static long endedTransaction(ByteBuffer content) {
    ByteBuffer in = LogWrite.head(content);
    // The place of its last record.
    LogUtils.readPackedLong(in);
    return LogUtils.readPackedLong(in);
  }

  /** Reads an entry; null if its content is none. */
  static LogWrite of(ByteBuffer content, boolean inTransaction) {
    try {
      return read(content, inTransaction);
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return null;
    }
  }

  private static LogWrite read(ByteBuffer content, boolean inTransaction) {
    ByteBuffer in = head(content);
    int flags = in.get();
    int flags2 = in.get();
    long database = LogUtils.readPackedLong(in);
    long transaction = 0;
    long previousLsn = DbLsn.NULL_LSN;
    long priorLsn = DbLsn.NULL_LSN;
    if (inTransaction) {
      priorLsn = (flags & ABORT_LSN) != 0 ? LogUtils.readPackedLong(in) : priorLsn;
      transaction = LogUtils.readPackedLong(in);
      previousLsn = LogUtils.readPackedLong(in);
    }
    skipBytes(in, (flags & ABORT_KEY) != 0);
    skipBytes(in, (flags & ABORT_DATA) != 0);
    skipNumber(in, (flags & ABORT_VLSN) != 0);
    skipNumber(in, (flags & ABORT_EXPIRATION) != 0);
    skipNumber(in, (flags & EXPIRATION) != 0);
    skipNumber(in, (flags2 & PRIOR_SIZE) != 0);
    skipNumber(in, (flags2 & PRIOR_FILE) != 0);
    int size = LogUtils.readPackedInt(in);
    int start = in.position();
    int end = start + Math.max(0, size);
    return new LogWrite(
        database,
        transaction,
        previousLsn,
        priorLsn,
        (flags & EMBEDDED) != 0,
        size < 0 ? null : content.slice(start, size),
        content.slice(end, content.limit() - end));
  }

  /** The beginning of an entry's content, in an array. */
  static ByteBuffer head(ByteBuffer content) {
    byte[] head = new byte[HEAD_BYTES];
    content.get(0, head, 0, Math.min(HEAD_BYTES, content.limit()));
    return ByteBuffer.wrap(head);
  }

  private static void skipNumber(ByteBuffer in, boolean present) {
    if (present) {
      LogUtils.readPackedLong(in);
    }
  }

  private static void skipBytes(ByteBuffer in, boolean present) {
    if (present) {
      int length = LogUtils.readPackedInt(in);
      in.position(in.position() + length);
    }
  }

  /**
   * Whether a damaged entry certainly writes no scheduled message and no dead letter. Either its
   * header or its content may be wrong; so both must say it, or what is said be unmistakable.
   */
  static boolean movesNoMessage(LogEntry entry, ByteBuffer content) {
    LogWrite write = of(content, isInTransaction(entry));
    if (entry.type() == DELETED_IN_TRANSACTION) {
      return write == null || write.value == null || !DetachedCodec.isMarked(write.value);
    }
    if (write == null || write.value == null || entry.type() == DELETED) {
      return false;
    }
    int keyBytes = write.rest.limit();
    return keyBytes == PacketKey.BYTES
            && PacketCodec.isKeyOf(PacketKey.of(write.key()), write.value)
        || keyBytes == Table.PROGRESS.keyBytes() && !DetachedCodec.isMarked(write.value);
  }

  byte[] key() {
    return bytes(rest);
  }

  static byte[] bytes(ByteBuffer from) {
    byte[] bytes = new byte[from.limit()];
    from.get(0, bytes);
    return bytes;
  }
}
