package dev.weir.queue.line;

import java.util.List;

/**
 * Which records of a side table to read: those of one kind from a place on, up to an order.
 *
 * @param lastOrder none of a greater order is read
 * @param maxRecords how many at most
 * @param maxBytes no more are read once they have as many
 */
public record SideLoad(
    byte kind, long order, long number, long lastOrder, int maxRecords, long maxBytes) {

  /**
   * What was found.
   *
   * @param exhausted there was no more
   * @param nextOrder order of the first record of the kind that was not read, or {@link
   *     Long#MAX_VALUE}
   */
  public record Found<T>(List<Loaded<T>> records, boolean exhausted, long nextOrder) {}

  /**
   * A record.
   *
   * @param message null if it cannot be read
   */
  public record Loaded<T>(SideKey key, SideMessage<T> message) {}
}
