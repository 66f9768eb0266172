package dev.weir.queue;

import java.util.List;

/**
 * What a check found in one queue.
 *
 * @param queue its name
 * @param packets packets that are intact
 * @param waiting intact messages that wait for their turn
 * @param scheduled intact messages that wait for their time
 * @param dead intact dead letters
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

  /** Number of intact messages, with dead letters and without transient messages. */
  public long messages() {
    return waiting + scheduled + dead;
  }
}
