package dev.weir.bench.persistence.store;

import dev.weir.bench.verify.MessageCheck;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;

/**
 * Reads a whole log and checks it: every message that was written is there once, in order, intact.
 * In a store of states, the last state of every object is there.
 */
public final class ReadBack {
  /** What is checked. */
  public static final String CHECK =
      "read back after reopening: number, order and content of every one";

  private final LogSpec spec;
  private final Payload payload;
  private final long written;
  private final boolean states;
  private final MessageCheck check;
  private long read;

  /**
   * @param written how many messages were, at least 1
   * @param states whether the log holds the last state of each object only
   */
  public ReadBack(LogSpec spec, Payload payload, long written, boolean states) {
    this.spec = spec;
    this.payload = payload;
    this.written = written;
    this.states = states;
    this.check = new MessageCheck(payload, SequenceCheck.ordered(expected()));
  }

  /** How many messages there are to be read. */
  long expected() {
    return states ? Math.min(written, spec.objects()) : written;
  }

  /** Takes the next message. */
  public void accept(byte[] message) {
    read++;
    if (states) {
      long number = MessageCheck.numberOf(message);
      long object = number % spec.objects();
      boolean last = number == lastChangeOf(object);
      check.accept(object, last && payload.contentMatches(number, message));
    } else {
      check.acceptFully(message);
    }
  }

  private long lastChangeOf(long object) {
    return object + (written - 1 - object) / spec.objects() * spec.objects();
  }

  /** Reads to the end; a failure to read is a failed verdict, not an exception. */
  public Verdict readAll(MessageLog log) {
    try (LogReader reader = log.reader()) {
      for (byte[] message = reader.next(); message != null; message = reader.next()) {
        accept(message);
      }
      return verdict();
    } catch (IOException | RuntimeException e) {
      return verdict().and(Verdict.fail("could not be read back: " + firstLine(e)));
    }
  }

  public static String firstLine(Throwable e) {
    return e.toString().lines().findFirst().orElse("");
  }

  public long read() {
    return read;
  }

  public Verdict verdict() {
    return check.verdict().in("read back");
  }

  /** The counts, as if each message had been an operation. */
  public Tally tally() {
    return check.tally(written);
  }
}
