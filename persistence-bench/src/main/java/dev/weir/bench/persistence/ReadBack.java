package dev.weir.bench.persistence;

import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a whole log and judges it: every message that was written is there once, in order, intact.
 * Of a store, the last state of every object.
 */
final class ReadBack {
  /** What is checked. */
  static final String CHECK = "read back after reopening: number, order and content of every one";

  private final LogSpec spec;
  private final Payload payload;
  private final long written;
  private final boolean states;
  private final SequenceCheck sequence;
  private long read;
  private long corrupt;

  /**
   * @param written how many messages were, at least 1
   * @param states whether the log holds the last state of each object only
   */
  ReadBack(LogSpec spec, Payload payload, long written, boolean states) {
    this.spec = spec;
    this.payload = payload;
    this.written = written;
    this.states = states;
    this.sequence = SequenceCheck.ordered(expected());
  }

  /** How many messages there are to be read. */
  long expected() {
    return states ? Math.min(written, spec.objects()) : written;
  }

  /** Takes the next message. */
  void accept(byte[] message) {
    read++;
    long number = message.length < Long.BYTES ? -1 : ByteBuffer.wrap(message).getLong(0);
    if (!payload.contentMatches(number, message)) {
      corrupt++;
    } else if (!states) {
      sequence.accept(number);
    } else if (number == lastChangeOf(number % spec.objects())) {
      sequence.accept(number % spec.objects());
    } else {
      corrupt++;
    }
  }

  private long lastChangeOf(long object) {
    return object + (written - 1 - object) / spec.objects() * spec.objects();
  }

  /** Reads to the end; a failure to read is a failed verdict, not an exception. */
  Verdict readAll(MessageLog log) {
    try (LogReader reader = log.reader()) {
      for (byte[] message = reader.next(); message != null; message = reader.next()) {
        accept(message);
      }
      return verdict();
    } catch (IOException | RuntimeException e) {
      return verdict().and(Verdict.fail("could not be read back: " + firstLine(e)));
    }
  }

  static String firstLine(Throwable e) {
    return e.toString().lines().findFirst().orElse("");
  }

  long read() {
    return read;
  }

  Verdict verdict() {
    return sequence.verdict().unless(corrupt == 0, "corrupt " + corrupt).in("read back");
  }

  /** The counts, as if each message had been an operation. */
  Tally tally() {
    long missing = sequence.missing();
    return new Tally(
        written,
        written,
        written - Math.min(written, missing),
        0,
        corrupt + sequence.unknown(),
        sequence.duplicates(),
        sequence.orderBreaks(),
        null);
  }
}
