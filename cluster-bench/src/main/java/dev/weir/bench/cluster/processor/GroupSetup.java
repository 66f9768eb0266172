package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.Kind;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Replication;
import dev.weir.processor.Encoding;

/**
 * What all members of the measured group have in common.
 *
 * @param persistence whether there is a log
 * @param ackLevel when a member counts as having a message
 * @param replyQueueDepth most replies that wait for a detached sender
 */
public record GroupSetup(
    Kind kind,
    Encoding encoding,
    Replication replication,
    boolean persistence,
    AckLevel ackLevel,
    int replyQueueDepth) {

  public static final int DEFAULT_REPLY_QUEUE_DEPTH = 1024;
}
