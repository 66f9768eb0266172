package dev.weir.cluster;

/**
 * One look at a replica.
 *
 * @param role what it is to its group
 * @param epoch the highest it knows
 * @param primary name of the primary it knows of in that epoch, or null
 * @param inSync members in sync, itself included, as far as it knows
 * @param voters members whose vote counts when another becomes primary, as far as it knows: those
 *     in sync, and of three members the third, or the witness, with the disk that the others know
 * @param accepting whether it is primary and may acknowledge right now
 * @param reason why it does not accept, or what it does; for people
 * @param logStart position of the first message it still has
 * @param logEpoch epoch of the last message it has
 * @param logEnd position behind that message
 * @param held as primary: the position up to which all in sync hold the history; else 0
 * @param accepted messages taken as primary
 * @param completed of these, replied to
 * @param answeredAgain replies given once more to messages that came again
 * @param busy messages refused for want of room
 * @param batches batches written as primary
 * @param replayed messages brought in from the log or the primary
 * @param roleChanges how often the role or its epoch changed
 * @param rejected messages whose handler threw, as primary
 * @param rebuilds how often the state was rebuilt from snapshot and log, because a handler threw in
 *     the middle of a change
 * @param snapshotPauseNs the longest time that the group stood still to take a snapshot, ns; 0
 *     before the first
 * @param snapshotAgeNs time since this process has completed a snapshot, ns; -1 before the first
 * @param clients whose messages the group remembers
 * @param replyBytes memory for replies that clients may ask for again, bytes
 */
public record GroupStats(
    Role role,
    long epoch,
    String primary,
    int inSync,
    int voters,
    boolean accepting,
    String reason,
    long logStart,
    long logEpoch,
    long logEnd,
    long held,
    long accepted,
    long completed,
    long answeredAgain,
    long busy,
    long batches,
    long replayed,
    long roleChanges,
    long rejected,
    long rebuilds,
    long snapshotPauseNs,
    long snapshotAgeNs,
    int clients,
    long replyBytes) {}
