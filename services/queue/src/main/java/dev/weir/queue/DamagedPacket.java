package dev.weir.queue;

/**
 * A record that cannot be read.
 *
 * @param queue its queue
 * @param sequence of its first message
 * @param messages how many were to be delivered: they are lost
 * @param file log file it lies in, or null if that is unknown
 * @param offset in that file
 * @param what is wrong, in a few words
 */
public record DamagedPacket(
    String queue, long sequence, long messages, String file, long offset, String what) {}
