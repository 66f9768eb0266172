package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import dev.weir.queue.je.LogFiles;
import java.io.InputStream;

/** Bytes in a table of their own, which is removed when they are discarded. */
final class JeSpool implements Spool {
  private final LogEnvironment environment;
  private final Database database;
  private final SnapshotOutput out;
  private final Runnable removal;
  private SnapshotInput in;
  private long size;
  private boolean discarded;

  /**
   * @param removal removes the table when it is closed
   */
  JeSpool(LogEnvironment environment, Database database, Runnable removal) {
    this.environment = environment;
    this.database = database;
    this.out = new SnapshotOutput(environment, database);
    this.removal = removal;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    environment.use(() -> out.write(source, offset, length));
    size += length;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public InputStream read() {
    closeInput();
    in = environment.use(() -> new SnapshotInput(environment, database, out.finish()));
    return in;
  }

  private void closeInput() {
    LogFiles.closeQuietly(in);
  }

  @Override
  public void discard() {
    if (discarded) {
      return;
    }
    discarded = true;
    closeInput();
    LogFiles.closeQuietly(database);
    removal.run();
  }
}
