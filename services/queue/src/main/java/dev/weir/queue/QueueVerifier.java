package dev.weir.queue;

import dev.weir.options.Checks;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.offline.Verification;
import java.io.IOException;
import java.nio.file.Path;

/** Checks a data directory that no store has open, and changes nothing in it. */
public final class QueueVerifier {
  private QueueVerifier() {}

  /**
   * Checks every byte of the log and every message. Blocks for as long as it takes to read the
   * directory twice; the thread must not be interrupted. The directory is locked meanwhile.
   *
   * @param path of an existing store, not null
   * @return what was found; damage is reported, not thrown
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE} or {@code
   *     NEWER_FORMAT}
   */
  public static VerifyReport verify(Path path) {
    return verify(path, Progress.NONE);
  }

  /**
   * As {@link #verify(Path)}.
   *
   * @param progress is told first the bytes of the log that are checked, then the messages
   */
  public static VerifyReport verify(Path path, Progress progress) {
    Checks.notNull("progress", progress);
    StoreDirectory lock = StoreDirectory.openExisting(Checks.notNull("path", path), false);
    try {
      return new Verification(path, progress).run();
    } catch (IOException e) {
      throw StoreDirectory.unreadable(path, e);
    } finally {
      lock.close();
    }
  }
}
