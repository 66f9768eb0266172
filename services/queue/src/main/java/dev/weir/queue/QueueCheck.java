package dev.weir.queue;

import java.util.List;

/**
 * What was found in one queue.
 *
 * @param queue its name
 * @param packets records that are intact
 * @param waiting messages that can be read and wait for their turn
 * @param scheduled messages that can be read and wait for their time
 * @param dead dead letters that can be read
 * @param transients messages that are discarded when the queue is opened
 * @param damaged records that cannot be read
 */
public record QueueCheck(
    String queue,
    long packets,
    long waiting,
    long scheduled,
    long dead,
    long transients,
    List<DamagedPacket> damaged) {

  /** Messages that can be read, without those of no use. */
  public long messages() {
    return waiting + scheduled + dead;
  }
}
