package dev.weir.queue.je;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.Durability;
import dev.weir.queue.segment.Segments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction on the tables of a store. {@link #close} undoes it unless it was committed. Used by
 * one thread.
 */
public class StoreTransaction implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreTransaction.class);

  /** An event of Flight Recorder: a transaction of a store was committed. */
  @Name("dev.weir.Commit")
  @Label("Commit")
  @Description("A transaction of a store was committed")
  @Category("Weir")
  @StackTrace(false)
  static final class CommitEvent extends Event {
    @Label("Directory")
    String directory;

    @Label("Durability")
    String durability;
  }

  private final Transaction je;
  private final Environment environment;
  private final LogMark mark;
  private final Segments segments;

  /** Packets that were written to each segment. */
  private final Map<Integer, Long> appended = new HashMap<>();

  /** Packets of each segment whose records were deleted. */
  private final Map<Integer, Long> freed = new HashMap<>();

  private boolean committed;

  /** True once it is not known whether the transaction is written. */
  private boolean uncertain;

  StoreTransaction(Environment environment, LogMark mark, Segments segments) {
    this.segments = segments;
    this.je = environment.beginTransaction(null, null);
    this.environment = environment;
    this.mark = mark;
  }

  /** Notes that messages up to a sequence are written. */
  void wrote(String queue, long endSequence) {
    if (mark != null) {
      mark.wrote(queue, endSequence);
    }
  }

  /** Notes that all packets of a queue are deleted. */
  void removed(String queue) {
    if (mark != null) {
      mark.removed(queue);
    }
  }

  /** Notes that a packet was written to a segment. */
  void appended(int segment) {
    appended.merge(segment, 1L, Long::sum);
  }

  /** Notes that the records of packets are deleted; their segment is 0 if they are in none. */
  void freed(int segment, long packets) {
    if (segment != 0) {
      freed.merge(segment, packets, Long::sum);
    }
  }

  /** Called before the commit: what is written to segments may be referred to from now on. */
  final void beginCommit() {
    uncertain = true;
  }

  /** Called when it is known what has become of the transaction. */
  final void endCommit(boolean isCommitted) {
    if (isCommitted || !uncertain) {
      (isCommitted ? freed : appended).forEach(segments::freed);
    }
    appended.clear();
    freed.clear();
  }

  /** For files that are not those of JE. */
  StoreTransaction(Segments segments) {
    this.segments = segments;
    this.je = null;
    this.environment = null;
    this.mark = null;
  }

  Transaction je() {
    return je;
  }

  /** Commits; a failure leaves the transaction to be undone. */
  public void commit(Durability durability) {
    long lsn = LogMark.end(environment);
    if (durability == Durability.MACHINE) {
      forceSegments();
    }
    beginCommit();
    // JE hands nothing to the system for a transaction that has written nothing.
    boolean wrote = DbInternal.getTxn(je).getLastLsn() != DbLsn.NULL_LSN;
    CommitEvent event = null;
    // The class of an event takes some 50 ms to load, without a recording too.
    if (FlightRecorder.isInitialized()) {
      event = new CommitEvent();
      event.begin();
    }
    je.commit(
        switch (durability) {
          case NONE -> com.sleepycat.je.Durability.COMMIT_NO_SYNC;
          case PROCESS -> com.sleepycat.je.Durability.COMMIT_WRITE_NO_SYNC;
          case MACHINE -> com.sleepycat.je.Durability.COMMIT_SYNC;
        });
    committed = true;
    endCommit(true);
    if (event != null) {
      record(event, wrote, durability);
    }
    if (wrote && durability == Durability.MACHINE) {
      mark.synced(lsn);
    }
    if (wrote && durability != Durability.NONE) {
      mark.committed(lsn);
    }
  }

  private void record(CommitEvent event, boolean wrote, Durability durability) {
    event.end();
    if (wrote && event.shouldCommit()) {
      event.directory = environment.getHome().getPath();
      event.durability = durability.name();
      event.commit();
    }
  }

  /** What the log names is on the device before the log. */
  private void forceSegments() {
    try {
      segments.force();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (committed) {
      return;
    }
    try {
      je.abort();
      endCommit(false);
    } catch (RuntimeException e) {
      LOG.debug("the transaction cannot be undone because the environment is invalid", e);
    }
  }
}
