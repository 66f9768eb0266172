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

  private record Spare(int number, long bytes) {}

  /** The file used last behind. */
  private final ArrayDeque<Spare> kept = new ArrayDeque<>();

  /** True if a file was kept or used since {@link #isIdle()} was asked last. */
  private boolean used;

  SpareFiles(SegmentFiles files) {
    this.files = files;
  }

  int count() {
    return kept.size();
  }

  boolean contains(int number) {
    return kept.stream().anyMatch(spare -> spare.number == number);
  }

  /**
   * Keeps the file of a segment; false if there are enough.
   *
   * @param mostBytes the files that are kept must have less
   */
  boolean add(Segment segment, long mostBytes) {
    long bytes = Math.max(segment.size, segment.fileBytes);
    long keptBytes = kept.stream().mapToLong(Spare::bytes).sum();
    if (kept.size() >= MAX || keptBytes + bytes >= mostBytes) {
      return false;
    }
    used = true;
    return kept.add(new Spare(segment.number, bytes));
  }

  /** Makes the file of a new segment of the one that was used last; null if there is none. */
  SegmentFile take(Segment created) {
    Spare spare = kept.pollLast();
    if (spare == null) {
      return null;
    }
    used = true;
    try {
      SegmentFile file = files.rename(spare.number, created.number);
      created.fileBytes = spare.bytes;
      return file;
    } catch (IOException e) {
      LOG.debug("segment file {} cannot be used again", SegmentDirectory.name(spare.number), e);
      delete(spare.number);
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
    while (!kept.isEmpty()) {
      delete(kept.poll().number);
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
    kept.clear();
  }
}
