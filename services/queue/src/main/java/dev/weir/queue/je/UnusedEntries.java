package dev.weir.queue.je;

import com.sleepycat.bind.tuple.LongBinding;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.cleaner.FileSummary;
import com.sleepycat.je.log.LogUtils;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entries of each log file that JE had counted as no longer used. JE may have deleted the file
 * in which a record was deleted; then only this tells that the record is no longer there.
 */
final class UnusedEntries {
  private static final int LOG_VERSION = 17;
  private static final int FILE_KEY_BYTES = 8;
  private static final int SHORT_BITS = 15;

  /** By file, the offsets of unused entries, as JE has written them part by part. */
  private final Map<Long, List<int[]>> offsets = new HashMap<>();

  /** Files that JE was about to delete: what was in use there stands in later files too. */
  private final Set<Long> cleaned = new HashSet<>();

  /**
   * Reads one of JE's records of a log file.
   *
   * @param write null if it cannot be read
   * @param isCleaned true if it says that the file was cleaned, false if it has offsets
   * @param at number of the file in which it stands
   */
  void note(LogWrite write, boolean isCleaned, long at) {
    if (write == null || write.rest().limit() < FILE_KEY_BYTES) {
      return;
    }
    if (!isCleaned) {
      offsets(write);
    } else if (write.value() != null) {
      cleaned(LongBinding.entryToLong(new DatabaseEntry(write.key())), at);
    }
  }

  private void cleaned(long file, long at) {
    // A file of the same number that was begun afterwards is another one.
    if (file < at) {
      cleaned.add(file);
    }
  }

  private void offsets(LogWrite write) {
    ByteBuffer in = ByteBuffer.wrap(write.key());
    long file = in.getInt(in.limit() - FILE_KEY_BYTES) & 0xffffffffL;
    if (write.value() == null) {
      // The file is deleted, or cleaned and to be deleted.
      offsets.remove(file);
      return;
    }
    new FileSummary().readFromLog(in, LOG_VERSION);
    int[] its = new int[LogUtils.readPackedInt(in)];
    LogUtils.readPackedInt(in);
    long offset = 0;
    for (int i = 0; i < its.length; i++) {
      offset += distance(in);
      its[i] = (int) offset;
    }
    offsets.computeIfAbsent(file, number -> new ArrayList<>()).add(its);
  }

  /** The distance to the next offset: 15 bits in each short, and less than 0 if more follow. */
  private static long distance(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += SHORT_BITS) {
      long part = LogUtils.readShort(in);
      if (part >= 0) {
        return value + (part << shift);
      }
      value += (-1 - part) << shift;
    }
  }

  /** Whether nothing in a file is of use, although the file is still there. */
  boolean isCleaned(long file) {
    return cleaned.contains(file);
  }

  /** Whether JE has counted in a file, and has not forgotten that with the file. */
  boolean isKnown(long file) {
    return offsets.containsKey(file);
  }

  /** The offsets of the unused entries of a file, sorted. */
  int[] offsets(long file) {
    int[] all =
        offsets.getOrDefault(file, List.of()).stream().flatMapToInt(Arrays::stream).toArray();
    Arrays.sort(all);
    return all;
  }
}
