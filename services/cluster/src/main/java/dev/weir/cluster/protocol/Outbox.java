package dev.weir.cluster.protocol;

/**
 * Writes and numbers the control messages of one replica. Each says what the replica knows at that
 * moment.
 */
final class Outbox {
  private final ReplicaState replica;
  private final ProtocolEffects effects;
  private long lastNumber;
  private long nextHeartbeatNs;

  Outbox(ReplicaState replica, ProtocolEffects effects, long nowNs) {
    this.replica = replica;
    this.effects = effects;
    nextHeartbeatNs = nowNs;
  }

  /** Sends the regular heartbeats. */
  void broadcastIfDue(long nowNs) {
    if (nowNs - nextHeartbeatNs >= 0) {
      nextHeartbeatNs = nowNs + replica.heartbeatNs;
      broadcast(nowNs);
    }
  }

  /** Sends a heartbeat to each member; also at each change of the role or the in-sync set. */
  void broadcast(long nowNs) {
    sendAll(replica.others(), Control.Type.HEARTBEAT, replica.record(), nowNs);
  }

  /** The same of who has given up the role: all but one member are to let that one stand first. */
  void broadcastStepDown(int successor, long nowNs) {
    // That one first: it may ask for votes at once.
    sendAll(1 << successor, Control.Type.HEARTBEAT, replica.record(), nowNs, 0);
    int others = replica.others() & ~(1 << successor);
    sendAll(others, Control.Type.HEARTBEAT, replica.record(), nowNs, Control.YIELD);
  }

  void heartbeat(Member member, long nowNs) {
    send(member, Control.Type.HEARTBEAT, replica.record(), nowNs, 0);
  }

  /** Answers also a process that is not known: the answer makes this one known to it. */
  void answer(Member member, Control heartbeat, int flags) {
    send(
        member,
        Control.Type.HEARTBEAT_ACK,
        replica.record(),
        heartbeat.sentNs(),
        flags,
        heartbeat.sender());
  }

  /**
   * Tells the process that had a slot until now that the members have changed. Its answer may come
   * late, when the next member of that slot is connected. So the heartbeat is dated before every
   * connection of this process: the answer to it proves of no process that it runs.
   */
  void farewell(int slot) {
    send(replica.member(slot), Control.Type.HEARTBEAT, replica.record(), replica.startNs - 1, 0);
  }

  /** Sends to the members of a set that are connected. */
  void sendAll(int set, Control.Type type, GroupRecord told, long sentNs) {
    sendAll(set, type, told, sentNs, 0);
  }

  private void sendAll(int set, Control.Type type, GroupRecord told, long sentNs, int flags) {
    for (int i = 0; i < Membership.SLOTS; i++) {
      Member member = replica.member(i);
      if ((set & member.bit) != 0 && member.isConnected()) {
        send(member, type, told, sentNs, flags);
      }
    }
  }

  /** Sends what this replica knows, except that the given record may be one it only proposes. */
  void send(Member member, Control.Type type, GroupRecord told, long sentNs, int flags) {
    send(member, type, told, sentNs, flags, member.receiver());
  }

  private void send(
      Member member, Control.Type type, GroupRecord told, long sentNs, int flags, long receiver) {
    effects.send(
        member.index,
        new Control(
            type,
            told,
            ++lastNumber,
            replica.process,
            receiver,
            sentNs,
            replica.disk,
            replica.primary(),
            replica.end(),
            flags | replica.flags(member, receiver)));
  }
}
