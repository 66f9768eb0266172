package dev.weir.queue.offline;

import dev.weir.queue.Serde;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.DeadLetterTable.Found;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.DetachedMessage;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Chosen dead letters of a queue in a closed directory. They are read and changed some megabytes at
 * a time. A dead letter that cannot be read is not chosen.
 */
public final class ChosenDeadLetters {
  private static final double MS_PER_SECOND = 1000;

  private final JeFiles files;
  private final String queue;
  private final Predicate<StoredMessage> which;
  private final DeadLetterTable dead;

  public ChosenDeadLetters(JeFiles files, String queue, Predicate<StoredMessage> which) {
    this.files = files;
    this.queue = queue;
    this.which = which;
    this.dead = new DeadLetterTable(files, queue);
  }

  /** Moves them back into their queue; returns their number. */
  public long requeue(double perSecond) {
    return move(queue, sequence -> sequence, perSecond);
  }

  /** Moves them into another queue, which exists; returns their number. */
  public long move(String to, double perSecond) {
    if (to.equals(queue)) {
      return requeue(perSecond);
    }
    long[] next = {QueueTables.reserve(files, to)};
    return move(to, sequence -> next[0]++, perSecond);
  }

  private long move(String to, LongUnaryOperator sequences, double perSecond) {
    long startMs = System.currentTimeMillis();
    long[] moved = {0};
    LongSupplier dueMs =
        () -> startMs + (perSecond > 0 ? (long) (moved[0]++ * MS_PER_SECOND / perSecond) : 0);
    return each(part -> dead.move(part, to, sequences, dueMs).size());
  }

  /** Deletes them; returns their number. */
  public long delete() {
    return each(part -> part.isEmpty() ? 0 : dead.delete(part).size());
  }

  private long each(ToLongFunction<List<Found>> work) {
    long done = 0;
    // Whatever is added to this queue meanwhile is no dead letter.
    long from = 0;
    List<Found> part;
    do {
      part = dead.find(from, Long.MAX_VALUE, Integer.MAX_VALUE);
      done += work.applyAsLong(part.stream().filter(this::isChosen).toList());
      from = part.isEmpty() ? 0 : part.get(part.size() - 1).key().number() + 1;
    } while (!part.isEmpty());
    return done;
  }

  private boolean isChosen(Found found) {
    DetachedMessage<byte[]> letter = dead.decode(found, Serde.BYTES);
    return letter != null
        && which.test(
            StoredMessages.outsidePackets(
                queue, State.DEAD, letter, null, found.key().diedAtMs(), 0));
  }
}
