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
 * @param lastSequence no message has a higher sequence, and one that is added later has; -1 if
 *     there is no message, or that was not looked for
 */
public record QueueSummary(
    String name,
    long waiting,
    long scheduled,
    long dead,
    long transients,
    long bytes,
    long packets,
    long lastSequence) {

  /** A summary for which the last sequence was not looked for. */
  public QueueSummary(
      String name,
      long waiting,
      long scheduled,
      long dead,
      long transients,
      long bytes,
      long packets) {
    this(name, waiting, scheduled, dead, transients, bytes, packets, -1);
  }

  /** All messages, those included that are of no use. */
  public long messages() {
    return waiting + scheduled + dead + transients;
  }
}
