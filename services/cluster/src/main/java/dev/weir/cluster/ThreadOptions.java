package dev.weir.cluster;

/**
 * Which threads a group has beside its own, for parts of the way of a message. Each hand-over to
 * another thread costs latency, a wake-up where that thread sleeps; what it does costs the group's
 * thread nothing any more. For each part: null, the default, for no such thread, or what the thread
 * does at rest.
 */
public final class ThreadOptions {
  /** {@value} replies may wait for the thread that gives them out. */
  public static final int DEFAULT_REPLY_QUEUE_DEPTH = 1024;

  private Waiting persister;
  private Waiting sender;
  private Waiting dispatcher;
  private Waiting replies;
  private int replyQueueDepth = DEFAULT_REPLY_QUEUE_DEPTH;

  public ThreadOptions() {}

  public ThreadOptions(ThreadOptions other) {
    persister = other.persister;
    sender = other.sender;
    dispatcher = other.dispatcher;
    replies = other.replies;
    replyQueueDepth = other.replyQueueDepth;
  }

  public Waiting getPersister() {
    return persister;
  }

  /**
   * A thread that writes the log, on the primary and on backups. A batch counts as held by a member
   * when that thread has brought it as far as {@link GroupOptions#setAckLevel} asks; several that
   * wait for it are flushed together. Without effect where there is no persistence.
   */
  public ThreadOptions setPersister(Waiting persister) {
    this.persister = persister;
    return this;
  }

  public Waiting getSender() {
    return sender;
  }

  /** A thread that sends frames to other members. */
  public ThreadOptions setSender(Waiting sender) {
    this.sender = sender;
    return this;
  }

  public Waiting getDispatcher() {
    return dispatcher;
  }

  /**
   * A thread that handles what was read from other members. With a link waiting of {@code SPIN} one
   * more thread polls the connections.
   */
  public ThreadOptions setDispatcher(Waiting dispatcher) {
    this.dispatcher = dispatcher;
    return this;
  }

  public Waiting getReplies() {
    return replies;
  }

  /** A thread that calls the {@link ReplySink}, which then is not under the group's lock. */
  public ThreadOptions setReplies(Waiting replies) {
    this.replies = replies;
    return this;
  }

  public int getReplyQueueDepth() {
    return replyQueueDepth;
  }

  /**
   * Replies that may wait for their thread, 1 to 1,048,576; default {@value
   * #DEFAULT_REPLY_QUEUE_DEPTH}. While as many do, the next stay with the group.
   */
  public ThreadOptions setReplyQueueDepth(int replyQueueDepth) {
    this.replyQueueDepth = Checks.range("replyQueueDepth", replyQueueDepth, 1, 1 << 20);
    return this;
  }
}
