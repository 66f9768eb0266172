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
}
