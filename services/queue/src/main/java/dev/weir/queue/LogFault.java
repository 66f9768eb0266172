package dev.weir.queue;

/**
 * Bytes of the log that are not what was written.
 *
 * @param file name of the log file
 * @param offset of the entry in it
 * @param bytes how many cannot be read as entries, from {@code offset} on
 * @param endOfLog true if nothing behind it is read any more: JE cuts its last file off there, when
 *     the store is opened next
 * @param lostBytes how many bytes are cut off then, with those of this entry; otherwise 0
 * @param what is wrong, in a few words
 */
public record LogFault(
    String file, long offset, long bytes, boolean endOfLog, long lostBytes, String what) {}
