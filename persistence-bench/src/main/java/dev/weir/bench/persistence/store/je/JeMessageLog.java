package dev.weir.bench.persistence.store.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.Shape;

/** A put for each message; a commit is one transaction. */
final class JeMessageLog implements MessageLog {
  private final JeEnvironment space;
  private final LogSpec spec;
  private final byte[] keyBytes = new byte[Long.BYTES];
  private final DatabaseEntry key = new DatabaseEntry(keyBytes);
  private final DatabaseEntry data = new DatabaseEntry();
  private Transaction transaction;

  JeMessageLog(JeEnvironment space, LogSpec spec) {
    this.space = space;
    this.spec = spec;
  }

  @Override
  public void append(long number, byte[] message) {
    if (spec.perCommit() > 1 && transaction == null) {
      transaction = space.environment().beginTransaction(null, null);
    }
    LogSpec.putKey(keyBytes, spec.key(number));
    data.setData(message);
    // Without a transaction the put is one of its own, with the environment's durability.
    space.database().put(transaction, key, data);
  }

  @Override
  public void commit() {
    if (transaction != null) {
      transaction.commit();
      transaction = null;
    }
  }

  @Override
  public LogReader reader() {
    return new Reader(space.cursor());
  }

  @Override
  public boolean lastStatesOnly() {
    return spec.shape() == Shape.STORE;
  }

  @Override
  public void close() {
    if (transaction != null) {
      transaction.abort();
    }
    space.close();
  }

  private static final class Reader implements LogReader {
    private final Cursor cursor;
    private final DatabaseEntry key = new DatabaseEntry();
    private final DatabaseEntry data = new DatabaseEntry();
    private final DatabaseEntry nothing = new DatabaseEntry();

    Reader(Cursor cursor) {
      this.cursor = cursor;
      nothing.setPartial(0, 0, true);
    }

    @Override
    public byte[] next() {
      return cursor.getNext(key, data, LockMode.DEFAULT) == OperationStatus.SUCCESS
          ? data.getData()
          : null;
    }

    @Override
    public boolean skip() {
      return cursor.getNext(key, nothing, LockMode.DEFAULT) == OperationStatus.SUCCESS;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
