package dev.weir.queue.line;

/**
 * Limits of the packets of a queue, in bytes.
 *
 * @param packetBytes a packet is closed when it has as many
 * @param readAheadBytes upper bound of the packets in memory that are on disk
 * @param dropAboveBytes above it the oldest messages are dropped
 * @param writeThrough true to deliver messages from disk only
 * @param writeAheadBytes with as many bytes on disk ahead of the consumer, packets without
 *     durability are not written yet
 * @param writePressureBytes with more bytes in memory, packets are written in any case and leave
 *     memory once they are
 */
record PacketLimits(
    int packetBytes,
    long readAheadBytes,
    long dropAboveBytes,
    boolean writeThrough,
    long writeAheadBytes,
    long writePressureBytes) {}
