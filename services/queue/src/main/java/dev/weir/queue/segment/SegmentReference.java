package dev.weir.queue.segment;

/**
 * Where a record lies.
 *
 * @param segment number of the segment, at least 1
 * @param offset of its first byte in the segment
 * @param length bytes
 */
public record SegmentReference(int segment, long offset, int length) {}
