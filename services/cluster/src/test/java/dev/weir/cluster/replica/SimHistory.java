package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a simulated group has ever written and acknowledged, and the promises about it: an epoch
 * has one primary, two logs agree on everything up to a common end, and what was acknowledged is
 * held by each later primary.
 */
final class SimHistory {
  /** A message with all that stands before it; null is the empty history. */
  record Node(Node before, long epoch, long position, long client, long sequence, long timeMs) {
    @Override
    public String toString() {
      return client + "/" + sequence + " at " + (position - 1) + " of epoch " + epoch;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(position * 31 + epoch);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  private final SimWorld world;
  private final int minInSync;
  private final Map<LogEnd, Node> nodes = new HashMap<>();
  private final Map<Long, String> primaries = new HashMap<>();
  private final List<SimDisk> disks;

  /** What disks held that were lost, for as long as it may count for an acknowledgement. */
  private final List<List<Node>> lost = new ArrayList<>();

  private Node acknowledged;
  private long count;

  SimHistory(SimWorld world, int minInSync, List<SimDisk> disks) {
    this.world = world;
    this.minInSync = minInSync;
    this.disks = disks;
    for (int i = 0; i < 3; i++) {
      lost.add(new ArrayList<>());
    }
  }

  /** Number of messages acknowledged, those that an operator gave up included. */
  long count() {
    return count;
  }

  Node acknowledged() {
    return acknowledged;
  }

  static long position(Node node) {
    return node == null ? 0 : node.position();
  }

  /** The history with a batch more. */
  Node append(Node head, ByteBuffer batch) {
    int at = batch.position();
    long epoch = Batch.epoch(batch, at);
    int message = Batch.first(at);
    Node end = head;
    world.require(position(head) == Batch.position(batch, at), "a log has no gap");
    world.require(
        head == null || head.timeMs() <= Batch.timeMs(batch, at), "time stamps never go back");
    for (int i = 0; i < Batch.count(batch, at); i++) {
      end =
          add(
              new Node(
                  end,
                  epoch,
                  position(end) + 1,
                  Batch.clientId(batch, message),
                  Batch.sequence(batch, message),
                  Batch.timeMs(batch, at)));
      message = Batch.next(batch, message);
    }
    return end;
  }

  private Node add(Node added) {
    Node known = nodes.putIfAbsent(new LogEnd(added.epoch(), added.position()), added);
    if (known == null) {
      world.require(
          find(added.before(), added.client(), added.sequence()) == null,
          () -> added + " is in its log once");
      return added;
    }
    world.require(
        known.before() == added.before()
            && known.client() == added.client()
            && known.sequence() == added.sequence(),
        () -> "two logs with " + added + " and " + known + " are the same up to there");
    return known;
  }

  Node at(LogEnd end) {
    Node node = nodes.get(end);
    world.require(node != null || end.equals(LogEnd.EMPTY), () -> "a history ends at " + end);
    return node;
  }

  static Node cut(Node head, long position) {
    Node node = head;
    while (position(node) > position) {
      node = node.before();
    }
    return node;
  }

  static boolean holds(Node head, Node node) {
    return cut(head, position(node)) == node;
  }

  static Node find(Node head, long client, long sequence) {
    Node node = head;
    while (node != null && (node.client() != client || node.sequence() != sequence)) {
      node = node.before();
    }
    return node;
  }

  /** Records that a disk is about to lose what it holds. */
  void loses(int member, Node head) {
    lost.get(member).add(head);
  }

  void leads(String name, long epoch, Node head) {
    String other = primaries.put(epoch, name);
    world.require(other == null, "epoch " + epoch + " has one primary, not " + name + ", " + other);
    world.require(
        holds(head, acknowledged),
        "primary " + name + " has the acknowledged message " + acknowledged);
  }

  void acknowledge(Object name, Node head, long client, long sequence) {
    Node node = find(head, client, sequence);
    world.require(node != null, () -> name + " holds what it acknowledges");
    if (holds(acknowledged, node)) {
      return;
    }
    world.require(
        holds(node, acknowledged),
        () -> "what " + name + " acknowledges, " + node + ", continues " + acknowledged);
    world.require(
        holders(node) >= minInSync,
        () -> "enough members hold what " + name + " acknowledges, " + node);
    count += position(node) - position(acknowledged);
    acknowledged = node;
  }

  private long holders(Node node) {
    long holders = 0;
    for (int member = 0; member < lost.size(); member++) {
      int index = member;
      boolean now = disks.stream().anyMatch(d -> d.member() == index && holds(d.written(), node));
      holders += now || lost.get(member).stream().anyMatch(head -> holds(head, node)) ? 1 : 0;
    }
    return holders;
  }

  /** No disk holds anything: a new group begins. */
  void clear() {
    nodes.clear();
    primaries.clear();
    lost.forEach(List::clear);
  }

  /** Nobody knows a later epoch any more; the group may count anew from there. */
  void forgetAfter(long epoch) {
    nodes.keySet().removeIf(end -> end.epoch() > epoch);
    primaries.keySet().removeIf(led -> led > epoch);
  }

  /** Whether no disk holds the last acknowledged message. */
  boolean isLost() {
    return disks.stream().noneMatch(disk -> holds(disk.head(), acknowledged));
  }

  /** All that no disk holds is given up. */
  void acceptLoss() {
    while (isLost()) {
      acknowledged = acknowledged.before();
    }
  }

  /** An operator accepts the loss of what a member does not hold. */
  void accept(Node head) {
    Node common = head;
    while (!holds(acknowledged, common)) {
      common = common.before();
    }
    acknowledged = common;
  }
}
