package dev.weir.queue;

/**
 * A packet, or a single message outside packets, that cannot be read.
 *
 * @param queue name of its queue
 * @param sequence of its first message
 * @param messages number of undelivered messages in it; they are lost
 * @param file name of the log file that holds it, or null if that is unknown
 * @param offset of its entry in that file
 * @param what is wrong, in a few words
 */
public record DamagedPacket(
    String queue, long sequence, long messages, String file, long offset, String what) {}
