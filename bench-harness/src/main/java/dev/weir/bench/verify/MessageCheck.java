package dev.weir.bench.verify;

import java.nio.ByteBuffer;

/**
 * Checks the messages of a {@link Payload} that arrive at the end of a path: each number once, in
 * order if that is promised, with the content it was sent with. Not thread-safe.
 */
public final class MessageCheck {
  private final Payload payload;
  private final SequenceCheck sequence;
  private long corrupt;

  /**
   * A check without a message yet.
   *
   * @param sequence of the numbers that are expected
   */
  public MessageCheck(Payload payload, SequenceCheck sequence) {
    this.payload = payload;
    this.sequence = sequence;
  }

  /** The number that a message claims to have; -1 if it is too short for one. */
  public static long numberOf(byte[] message) {
    return message.length < Long.BYTES ? -1 : ByteBuffer.wrap(message).getLong(0);
  }

  /** Takes the next message; its whole content is checked on a sample of the messages only. */
  public void accept(byte[] message) {
    long number = numberOf(message);
    accept(number, payload.matches(number, message));
  }

  /** Takes the next message and checks its whole content. */
  public void acceptFully(byte[] message) {
    long number = numberOf(message);
    accept(number, payload.contentMatches(number, message));
  }

  /**
   * Takes the next message as judged by the caller.
   *
   * @param number of the message, in the sequence
   * @param intact whether its content is that of the number
   */
  public void accept(long number, boolean intact) {
    if (intact) {
      sequence.accept(number);
    } else {
      corrupt++;
    }
  }

  /** OK when each number came once, in order if promised, and each message was intact. */
  public Verdict verdict() {
    return corruptOr(sequence.verdict());
  }

  /** As {@link #verdict()}, for so many messages from number 0 on, at most the size. */
  public Verdict verdict(long sent) {
    return corruptOr(sequence.verdict(sent));
  }

  private Verdict corruptOr(Verdict verdict) {
    return verdict.unless(corrupt == 0, "corrupt " + corrupt);
  }

  /**
   * The counts, as if each message had been an operation.
   *
   * @param written messages that were written
   */
  public Tally tally(long written) {
    return new Tally(
        written,
        written,
        written - Math.min(written, sequence.missing()),
        0,
        corrupt + sequence.unknown(),
        sequence.duplicates(),
        sequence.orderBreaks(),
        null);
  }
}
