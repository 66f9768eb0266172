package dev.weir.queue;

/**
 * Messages of one queue that may be lost, with sequences that follow each other.
 *
 * @param queue its name; {@code recovered-} and a number if that is lost too
 * @param messages how many they are; messages that were never written are among them
 * @param firstSequence sequence of the first message
 * @param lastSequence sequence of the last message
 * @param why they may be lost, in a few words
 */
public record LostPackets(
    String queue, long messages, long firstSequence, long lastSequence, String why) {

  /** What may be lost, in one line. */
  public String text() {
    return "queue %s: up to %d messages, sequences %d to %d: %s"
        .formatted(queue, messages, firstSequence, lastSequence, why);
  }
}
