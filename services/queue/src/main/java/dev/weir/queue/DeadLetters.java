package dev.weir.queue;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The dead letters of a queue: messages that are not delivered any more. They stay on disk until
 * they are requeued, purged, or deleted by {@link DeadLetterOptions}.
 *
 * <p>Each has a number. The queue gives the number of a dead letter that is gone to no later one,
 * also not after a restart or when a deleted queue is made again. Numbers are given again after
 * what takes records back: a loss of power that takes dead letters which were not yet forced to the
 * device, a repair that loses the record of a number, and a backup that is restored.
 *
 * <p>{@link #count} and {@link #bytes} do not block. Every other method blocks until its work is
 * committed, and must not be called on an event loop. It fails with a {@link QueueException}:
 * {@code CLOSED}, {@code DISK_FULL} or {@code STORE_FAILED}.
 *
 * @param <T> the message type
 */
public interface DeadLetters<T> {
  /** Largest number of dead letters that one call lists: {@value}. */
  int MAX_LIST = 1000;

  /**
   * The first number of a message that its serde could not read when the message became a dead
   * letter. Such dead letters are numbered apart from the others.
   */
  long FIRST_UNREADABLE = 1L << 52;

  /**
   * The newest dead letters at a moment. A mark covers the dead letters of that moment and older
   * ones. It covers none that came later.
   *
   * @param openedMs when the queue was opened, ms since 1970: a loss of power or a repair in
   *     between may have taken numbers back
   * @param last highest number that a dead letter that can be read has or had; 0 for none
   * @param lastUnreadable the same from {@link #FIRST_UNREADABLE} on
   */
  record Mark(long openedMs, long last, long lastUnreadable) {
    /** Covers nothing. */
    public static final Mark NONE = new Mark(0, 0, FIRST_UNREADABLE - 1);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,19})-(\\d{1,19})-(\\d{1,19})");

    /** Whether the dead letter of this number was there at the moment of the mark. */
    public boolean covers(long number) {
      return number <= (number < FIRST_UNREADABLE ? last : lastUnreadable);
    }

    /** A text for {@link #parse}, of digits and hyphens. */
    @Override
    public String toString() {
      return openedMs + "-" + last + "-" + (lastUnreadable - FIRST_UNREADABLE + 1);
    }

    /**
     * Reads the text of a mark.
     *
     * @param text by {@link #toString}, not null
     * @throws IllegalArgumentException if the text is not that of a mark
     */
    public static Mark parse(String text) {
      Matcher parts = TEXT.matcher(text);
      if (parts.matches()) {
        try {
          return new Mark(
              Long.parseLong(parts.group(1)),
              Long.parseLong(parts.group(2)),
              Math.addExact(Long.parseLong(parts.group(3)), FIRST_UNREADABLE - 1));
        } catch (NumberFormatException | ArithmeticException e) {
          // As any other text that is not allowed.
        }
      }
      throw new IllegalArgumentException("mark is " + text + ", allowed is what a list has named");
    }
  }

  /** Number of dead letters. */
  long count();

  /** Size of all dead letters in bytes, as {@link DeadLetterOptions} counts it. */
  long bytes();

  /**
   * Lists dead letters, oldest first. A damaged dead letter is left out and logged. The list ends
   * early when it holds some megabytes: only an empty one says that there are no more.
   *
   * @param fromNumber lowest {@linkplain DeadLetter#number() number} to list
   * @param max largest number of dead letters to list, 1 to {@value #MAX_LIST}
   */
  List<DeadLetter<T>> list(long fromNumber, int max);

  /** Reads one dead letter; empty if no dead letter has this number, or if it is damaged. */
  Optional<DeadLetter<T>> read(long number);

  /**
   * Puts one dead letter back into the queue, in front of the waiting messages. The message keeps
   * its sequence and starts with no failed attempts.
   *
   * @return false if no dead letter has this number, or if it is damaged
   */
  boolean requeue(long number);

  /**
   * The mark of now. Taken before a list, it covers no dead letter that the list may lack because
   * that came later.
   */
  Mark mark();

  /** Puts all dead letters back into the queue, oldest first; returns their number. */
  long requeueAll();

  /**
   * Puts the dead letters that a mark covers back into the queue, oldest first; returns their
   * number.
   *
   * @param upTo by {@link #mark} of this queue, not null
   * @throws IllegalArgumentException if the queue was opened anew since
   */
  long requeueAll(Mark upTo);

  /** Deletes one dead letter; false if no dead letter has this number. */
  boolean purge(long number);

  /** Deletes all dead letters; returns their number. */
  long purgeAll();

  /**
   * Deletes the dead letters that a mark covers; returns their number.
   *
   * @param upTo by {@link #mark} of this queue, not null
   * @throws IllegalArgumentException if the queue was opened anew since
   */
  long purgeAll(Mark upTo);
}
