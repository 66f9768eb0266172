package dev.weir.queue;

import java.nio.file.Path;

/** A test whose store is one of several things in the test's directory. */
public abstract class DataDirectoryTestBase extends QueueTestBase {
  /** The directory of the store. */
  protected final Path data() {
    return directory.resolve("data");
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setDirectory(data());
  }

  /**
   * Appends messages of 1,000 bytes, of which the first queue gets three fifths. Once the second is
   * drained two fifths of each log file are of no use: enough for compact, and too little for JE to
   * clean them by itself, in the background, before compact is called.
   */
  protected static void appendMixed(
      DurableQueue<String> kept, DurableQueue<String> drained, int messages) {
    for (int from = 0; from < messages; from += 100) {
      appendAll(kept, texts(from, from + 60, 1000));
      appendAll(drained, texts(from + 60, from + 100, 1000));
    }
  }
}
