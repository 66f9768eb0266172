package dev.weir.cluster.replica;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import dev.weir.cluster.threads.DutyThread;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.threads.RecordRing;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Replies on their way to a thread that gives them out, in the order they were offered. */
public final class DetachedReplies implements ReplyOutlet {
  private static final long MAX_BYTES = 4 << 20;

  /** Tag of a reply that is the reason of a rejection. */
  private static final int REJECTED = 1;

  /** After how many replies a role changed. */
  private record RoleChange(long after, Role role, long epoch) {}

  private final ReplySink sink;
  private final int depth;
  private final RecordRing ring;
  private final GroupThreads threads;
  private final DutyThread thread;

  /** Few, and must not wait for room. */
  private final Queue<RoleChange> roles = new ConcurrentLinkedQueue<>();

  private volatile boolean refused;

  public DetachedReplies(ReplySink sink, GroupOptions options, GroupThreads threads) {
    int maxBytes = options.getMaxMessageBytes();
    this.sink = sink;
    this.depth = options.getThreads().getReplyQueueDepth();
    this.ring = new RecordRing(maxBytes, Math.min(MAX_BYTES, (long) depth * maxBytes));
    this.threads = threads;
    this.thread = threads.thread(GroupDuty.REPLIES, options.getThreads().getReplies(), this::work);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public boolean offer(
      boolean rejected, long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    int tag = rejected ? REJECTED : 0;
    if (isFull() || !ring.offer(tag, clientId, sequence, buffer, offset, length)) {
      refused = true;
      return false;
    }
    thread.wake();
    return true;
  }

  private boolean isFull() {
    return ring.added() - ring.removed() >= depth;
  }

  @Override
  public void onRole(Role role, long epoch) {
    roles.add(new RoleChange(ring.added(), role, epoch));
    thread.wake();
  }

  @Override
  public boolean hasNews() {
    return refused && ring.isEmpty();
  }

  @Override
  public void collect() {
    refused = false;
  }

  private boolean work() {
    boolean worked = giveRoles();
    if (ring.peek()) {
      give();
      ring.remove();
      return true;
    }
    // With what was refused meanwhile the group must not wait for its next occasion.
    return worked || refused && !threads.tell();
  }

  private void give() {
    if (ring.tag() == REJECTED) {
      sink.onRejected(ring.first(), ring.second(), ring.buffer(), ring.offset(), ring.bytes());
    } else {
      sink.onReply(ring.first(), ring.second(), ring.buffer(), ring.offset(), ring.bytes());
    }
  }

  private boolean giveRoles() {
    boolean gave = false;
    for (RoleChange next = due(); next != null; next = due()) {
      roles.remove();
      sink.onRole(next.role, next.epoch);
      gave = true;
    }
    return gave;
  }

  private RoleChange due() {
    RoleChange next = roles.peek();
    return next != null && next.after <= ring.removed() ? next : null;
  }

  /** Gives out what waits and ends the thread. */
  @Override
  public void close() {
    thread.close();
  }
}
