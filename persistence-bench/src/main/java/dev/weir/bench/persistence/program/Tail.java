package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.ReadBack;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A reader that follows a log, on a thread of its own, while it is written. */
final class Tail {
  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(200);

  private final MessageLog log;
  private final ReadBack readBack;
  private final Thread thread = new Thread(this::follow, "bench-tail");
  private volatile boolean allWritten;
  private volatile Exception failure;
  private volatile long read;

  private Tail(MessageLog log, ReadBack readBack) {
    this.log = log;
    this.readBack = readBack;
    thread.setDaemon(true);
  }

  static Tail start(MessageLog log, ReadBack readBack) {
    Tail tail = new Tail(log, readBack);
    tail.thread.start();
    return tail;
  }

  private void follow() {
    try (LogReader reader = log.reader()) {
      boolean more = true;
      while (more) {
        // Read before the message: a message is missing only if it is absent after the last write.
        boolean last = allWritten;
        byte[] message = reader.next();
        if (message != null) {
          readBack.accept(message);
          read++;
        } else if (last) {
          more = false;
        } else {
          LockSupport.parkNanos(WAIT_NS);
        }
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  /** How many were read so far; any thread. */
  long read() {
    return read;
  }

  /** Reads the rest, after all was written. */
  Verdict finish() throws InterruptedException {
    allWritten = true;
    thread.join();
    Verdict verdict = readBack.verdict();
    Exception cause = failure;
    return (cause == null
            ? verdict
            : verdict.and(Verdict.fail("could not be read: " + ReadBack.firstLine(cause))))
        .in("tail");
  }
}
