package dev.weir.bench.cluster.failover;

/**
 * The result of one round of a fault.
 *
 * @param strikeNs when the fault began
 * @param endNs when all members were in sync again and the driver had caught up
 * @param outage the longest time without replies between the two
 * @param takeoverMs from the fault to the report of the new primary
 * @param acceptedByOld requests that the old primary answered while another was primary
 * @param logProblem what a comparison of the logs after the round found; null if nothing
 */
record FailoverRound(
    long strikeNs,
    long endNs,
    ReplyTimeline.Gap outage,
    double takeoverMs,
    long acceptedByOld,
    String logProblem) {}
