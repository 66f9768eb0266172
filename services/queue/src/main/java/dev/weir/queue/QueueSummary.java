package dev.weir.queue;

/**
 * What one queue holds that is not open.
 *
 * @param name of the queue
 * @param waiting messages that wait for their turn, those included whose time has come; if only
 *     keys were counted, also delayed messages that are still in packets
 * @param scheduled messages that wait for their time
 * @param dead dead letters
 * @param transients messages that are discarded when the queue is opened, see {@link
 *     StoredMessage#isTransient}
 * @param bytes size of the records that hold them, as the budgets count it
 * @param packets records of many messages
 */
public record QueueSummary(
    String name,
    long waiting,
    long scheduled,
    long dead,
    long transients,
    long bytes,
    long packets) {

  /** All messages, those included that are of no use. */
  public long messages() {
    return waiting + scheduled + dead + transients;
  }
}
