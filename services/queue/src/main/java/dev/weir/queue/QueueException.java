package dev.weir.queue;

import java.util.Objects;

/** The failure of a queue operation; {@link #reason()} says why. */
public final class QueueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why an operation failed. The names are stable. */
  public enum Reason {
    /** The byte budget of the queue is used up. */
    QUEUE_FULL,
    /** The write buffer is full: messages come faster than the disk takes them. */
    BUFFER_FULL,
    /** The file system has less free space than the store must keep. */
    DISK_FULL,
    /** The message is larger than the limit of the queue. */
    MESSAGE_TOO_LARGE,
    /** The message was dropped by {@link OverflowPolicy#DROP_NEWEST} or {@code DROP_OLDEST}. */
    DROPPED,
    /** The message expired before it was delivered. */
    EXPIRED,
    /** The message was deleted by {@link DurableQueue#purge}. */
    PURGED,
    /**
     * The store cannot write or read its files. The store tries to reopen them again and again. It
     * stops trying, and logs that once, if the log is damaged and no part of it can be copied.
     */
    STORE_FAILED,
    /** The bytes that were read differ from those that were written. */
    CORRUPT,
    /**
     * A message with the same id and another {@link MessageOptions#fingerprint} was added before.
     */
    ID_REUSED,
    /** The {@link Serde} of the queue cannot convert the message to bytes. */
    UNWRITABLE,
    /** The queue or its store is closed. */
    CLOSED,
    /** The directory cannot be used: a permission is missing, or it is not a directory. */
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
    // A refusal is a normal answer under load: it has no stack trace unless it has a cause.
    super(message, cause, false, cause != null);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  public Reason reason() {
    return reason;
  }
}
