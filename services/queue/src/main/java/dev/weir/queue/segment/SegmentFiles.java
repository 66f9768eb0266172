package dev.weir.queue.segment;

import java.io.IOException;
import java.util.Map;

/** Where segments are: a directory, or the memory of a test. */
public interface SegmentFiles {
  /** The sizes of all segments by number. */
  Map<Integer, Long> sizes() throws IOException;

  /** Creates a segment, which must not exist. */
  SegmentFile create(int number) throws IOException;

  /**
   * Opens a segment.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  SegmentFile open(int number) throws IOException;

  /**
   * Gives a segment another number, which must not exist, and opens it. Its content stays until it
   * is overwritten.
   */
  SegmentFile rename(int from, int to) throws IOException;

  /** Deletes a segment if it exists. */
  void delete(int number) throws IOException;

  /** Moves a segment to where what is damaged is kept. */
  void putAway(int number) throws IOException;

  /**
   * Takes away a segment that nothing is found to refer to.
   *
   * @param complete false if references may be lost
   */
  default void drop(int number, boolean complete) throws IOException {
    if (complete) {
      delete(number);
    } else {
      putAway(number);
    }
  }

  /** Forces the names of all segments to the device. */
  void forceNames() throws IOException;
}
