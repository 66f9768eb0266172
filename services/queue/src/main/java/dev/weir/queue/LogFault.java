package dev.weir.queue;

/**
 * Damage of the log: bytes that are not what was written.
 *
 * @param file name of the log file
 * @param offset of the damaged entry in it
 * @param bytes number of bytes from {@code offset} on that cannot be read as entries
 * @param endOfLog true if the log ends here: JE truncates its last file at this offset when the
 *     store is opened next
 * @param lostBytes number of bytes that JE then cuts off, with those of this entry; otherwise 0
 * @param what is wrong, in a few words
 */
public record LogFault(
    String file, long offset, long bytes, boolean endOfLog, long lostBytes, String what) {

  /** Whether the log ends here although entries that can be read follow. */
  public boolean isFollowed() {
    return endOfLog && bytes < lostBytes;
  }
}
