package dev.weir.cluster;

import static dev.weir.options.OptionTypes.choice;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.util.Map;

/**
 * Which threads a group has beside its own, for parts of the way of a message. Each hand-over to
 * another thread costs latency, a wake-up where that thread sleeps; what it does costs the group's
 * thread nothing any more. For each part: null, the default, for no such thread, or what the thread
 * does at rest.
 */
public final class ThreadOptions extends Options<ThreadOptions> {
  /** {@value} replies may wait for the thread that gives them out. */
  public static final int DEFAULT_REPLY_QUEUE_DEPTH = 1024;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Waiting> PERSISTER =
      OPTIONS
          .add("persister", choice(Waiting.class).orNull(), null)
          .does("A thread that writes the log.");
  private static final Option<Waiting> SENDER =
      OPTIONS
          .add("sender", choice(Waiting.class).orNull(), null)
          .does("A thread that sends frames to other members.");
  private static final Option<Waiting> DISPATCHER =
      OPTIONS
          .add("dispatcher", choice(Waiting.class).orNull(), null)
          .does("A thread that handles frames of other members.");
  private static final Option<Waiting> REPLIES =
      OPTIONS
          .add("replies", choice(Waiting.class).orNull(), null)
          .does("A thread that calls the reply sink.");
  private static final Option<Integer> REPLY_QUEUE_DEPTH =
      OPTIONS
          .integer("replyQueueDepth", DEFAULT_REPLY_QUEUE_DEPTH, 1, 1 << 20)
          .does("Replies that may wait for their thread.");

  public ThreadOptions() {
    super(OPTIONS);
  }

  public ThreadOptions(ThreadOptions other) {
    super(other);
  }

  /**
   * @param map entries as {@link #toMap()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown option or a bad value
   */
  public ThreadOptions(Map<String, ?> map) {
    super(OPTIONS, map);
  }

  public Waiting getPersister() {
    return get(PERSISTER);
  }

  /**
   * A thread that writes the log, on the primary and on backups. A batch counts as held by a member
   * when that thread has brought it as far as {@link GroupOptions#setAckLevel} asks; several that
   * wait for it are flushed together. Without effect where there is no persistence.
   */
  public ThreadOptions setPersister(Waiting persister) {
    return set(PERSISTER, persister);
  }

  public Waiting getSender() {
    return get(SENDER);
  }

  /** A thread that sends frames to other members. */
  public ThreadOptions setSender(Waiting sender) {
    return set(SENDER, sender);
  }

  public Waiting getDispatcher() {
    return get(DISPATCHER);
  }

  /**
   * A thread that handles what was read from other members. With a link waiting of {@code SPIN} one
   * more thread polls the connections.
   */
  public ThreadOptions setDispatcher(Waiting dispatcher) {
    return set(DISPATCHER, dispatcher);
  }

  public Waiting getReplies() {
    return get(REPLIES);
  }

  /** A thread that calls the {@link ReplySink}, which then is not under the group's lock. */
  public ThreadOptions setReplies(Waiting replies) {
    return set(REPLIES, replies);
  }

  public int getReplyQueueDepth() {
    return get(REPLY_QUEUE_DEPTH);
  }

  /**
   * Replies that may wait for their thread, 1 to 1,048,576; default {@value
   * #DEFAULT_REPLY_QUEUE_DEPTH}. While as many do, the next stay with the group.
   */
  public ThreadOptions setReplyQueueDepth(int replyQueueDepth) {
    return set(REPLY_QUEUE_DEPTH, replyQueueDepth);
  }
}
