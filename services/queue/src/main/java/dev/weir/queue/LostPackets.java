package dev.weir.queue;

/**
 * Packets of one queue in which the log and the opened store differ.
 *
 * @param queue its name, or null if that is lost too
 * @param packets number of packets
 * @param messages number of messages in them
 * @param firstSequence sequence of the first message
 * @param lastSequence sequence of the last message
 * @param why the store does not have them, or has them again
 */
public record LostPackets(
    String queue, long packets, long messages, long firstSequence, long lastSequence, String why) {}
