package dev.weir.queue.line;

import java.util.List;

/**
 * A range of records in the table of deferred messages: those of one kind, from a position on.
 *
 * @param kind see {@link DeferredKey#kind}
 * @param order order of the first position
 * @param number number of the first position
 * @param lastOrder records of a greater order are not read
 * @param maxRecords at most so many records are read
 * @param maxBytes reading stops when the records have as many bytes
 */
public record DeferredLoad(
    byte kind, long order, long number, long lastOrder, int maxRecords, long maxBytes) {

  /**
   * The records that were read.
   *
   * @param exhausted true if no record of the range is left
   * @param nextOrder order of the first record of the kind that was not read, or {@link
   *     Long#MAX_VALUE}
   */
  public record Found<T>(List<Loaded<T>> records, boolean exhausted, long nextOrder) {}

  /**
   * A record that was read.
   *
   * @param message null if the record is damaged
   */
  public record Loaded<T>(DeferredKey key, DetachedMessage<T> message) {}
}
