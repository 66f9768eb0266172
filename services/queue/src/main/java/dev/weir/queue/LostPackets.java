package dev.weir.queue;

/**
 * Packets of one queue that the log still shows but the store does not.
 *
 * @param queue its name, or null if that is lost too
 * @param packets how many
 * @param messages how many in them
 * @param firstSequence of the first message
 * @param lastSequence of the last message
 * @param why they are not to be had, or what becomes of them
 */
public record LostPackets(
    String queue, long packets, long messages, long firstSequence, long lastSequence, String why) {}
