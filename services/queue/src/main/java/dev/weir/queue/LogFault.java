package dev.weir.queue;

/**
 * Damage of the log: bytes that are not what was written.
 *
 * @param file name of the log file
 * @param offset of the damaged entry in it
 * @param bytes number of bytes from {@code offset} on that cannot be read as entries
 * @param endOfLog true if the log ends here: its last file is truncated at this offset when the
 *     store is opened next, and what is cut off is kept in {@code damaged/}. False for damage: the
 *     store then reads what is behind it too
 * @param lostBytes number of bytes that are then cut off, with those of this entry; otherwise 0
 * @param what is wrong, in a few words
 */
public record LogFault(
    String file, long offset, long bytes, boolean endOfLog, long lostBytes, String what) {

  /** Whether the log ends here although entries that can be read follow. */
  public boolean isFollowed() {
    return endOfLog && bytes < lostBytes;
  }
}
