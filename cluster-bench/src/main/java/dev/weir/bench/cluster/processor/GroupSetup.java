package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.Kind;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Replication;
import dev.weir.processor.Encoding;

/**
 * What all members of the measured group have in common.
 *
 * @param persistence whether there is a log
 * @param ackLevel what it means that a member holds a message
 * @param replyQueueDepth replies that wait for a detached sender at most
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
