package dev.weir.queue.segment;

import java.io.IOException;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of segments that nothing refers to any more, kept to become new segments. The file
 * system then neither frees nor allocates their blocks and pages, which costs as much as the
 * writing. A spare file keeps its old name until it is used, and its old content until that is
 * overwritten; no record refers to either. Guarded by its {@link Segments}.
 */
final class SpareFiles {
  /** With as many files kept, others are deleted. */
  private static final int MAX = 4;

  private static final Logger LOG = LoggerFactory.getLogger(SpareFiles.class);

  private final SegmentFiles files;

  /** Numbers in the names of the files, the file used last behind. */
  private final ArrayDeque<Integer> numbers = new ArrayDeque<>();

  /** True if a file was kept or used since {@link #isIdle()} was asked last. */
  private boolean used;

  SpareFiles(SegmentFiles files) {
    this.files = files;
  }

  int count() {
    return numbers.size();
  }

  boolean contains(int number) {
    return numbers.contains(number);
  }

  /** Keeps the file of a segment; false if there are enough. */
  boolean add(int number) {
    if (numbers.size() >= MAX) {
      return false;
    }
    used = true;
    return numbers.add(number);
  }

  /** Makes the file of a new segment of the one that was used last; null if there is none. */
  SegmentFile take(int newNumber) {
    Integer number = numbers.pollLast();
    if (number == null) {
      return null;
    }
    used = true;
    try {
      return files.rename(number, newNumber);
    } catch (IOException e) {
      LOG.debug("segment file {} cannot be used again", SegmentDirectory.name(number), e);
      delete(number);
      return null;
    }
  }

  /** Whether no file was kept or used since this was asked last. */
  boolean isIdle() {
    boolean idle = !used;
    used = false;
    return idle;
  }

  /** Deletes all files. */
  void deleteAll() {
    while (!numbers.isEmpty()) {
      delete(numbers.poll());
    }
  }

  private void delete(int number) {
    try {
      files.delete(number);
    } catch (IOException e) {
      LOG.warn("{} stays: {}", SegmentDirectory.name(number), e.toString());
    }
  }

  /** Forgets all files, which are looked for anew. */
  void forget() {
    numbers.clear();
  }
}
