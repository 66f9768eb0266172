package dev.weir.bench.cluster.failover;

/**
 * What one round showed.
 *
 * @param strikeNs when the fault struck
 * @param endNs when all members were in sync again and the driver had caught up
 * @param outage the longest time without replies in between
 * @param takeoverMs from the fault to when the new primary said it is
 * @param acceptedByOld what the old primary answered while another was primary
 * @param logProblem what is wrong with the logs, compared after the round; null if nothing is
 */
record FailoverRound(
    long strikeNs,
    long endNs,
    ReplyTimeline.Gap outage,
    double takeoverMs,
    long acceptedByOld,
    String logProblem) {}
