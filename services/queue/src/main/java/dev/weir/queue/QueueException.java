package dev.weir.queue;

import java.util.Objects;

/** A queue operation that was not carried out; {@link #reason()} says why. */
public final class QueueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why an operation was refused; names are stable. */
  public enum Reason {
    /** The queue's byte budget is used up. */
    QUEUE_FULL,
    /** More bytes wait to be written than the write buffer holds: the disk is slower. */
    BUFFER_FULL,
    /** The file system has less free space than the store must keep. */
    DISK_FULL,
    /** The message is larger than the queue takes. */
    MESSAGE_TOO_LARGE,
    /** The message was dropped by {@link OverflowPolicy#DROP_NEWEST} or {@code DROP_OLDEST}. */
    DROPPED,
    /** The message's time was over before it was delivered. */
    EXPIRED,
    /** The message was thrown away by {@link DurableQueue#purge}. */
    PURGED,
    /**
     * The store cannot write or read its files. It keeps trying to reopen them, unless its log is
     * damaged beyond what can be copied, which it says once.
     */
    STORE_FAILED,
    /** What was read is not what was written. */
    CORRUPT,
    /** The {@link Serde} of the queue could not turn the message into bytes. */
    UNWRITABLE,
    /** The queue or its store is closed. */
    CLOSED,
    /** The directory cannot be used: missing rights, not a directory. */
    DIRECTORY_UNUSABLE,
    /** Another store, in this or another process, has the directory open. */
    DIRECTORY_IN_USE,
    /** The directory was written by a newer version. */
    NEWER_FORMAT
  }

  private final Reason reason;

  /**
   * @param reason why, not null
   * @param message one line for people
   */
  public QueueException(Reason reason, String message) {
    this(reason, message, null);
  }

  /**
   * @param reason why, not null
   * @param message one line for people
   * @param cause what the store reported, or null
   */
  public QueueException(Reason reason, String message, Throwable cause) {
    // A refusal is an answer, sent at any rate the senders choose: it carries no stack trace
    // unless something else failed.
    super(message, cause, false, cause != null);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  public Reason reason() {
    return reason;
  }
}
