package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Does everything to a log, at random and until it is killed, and says what: in lower case before
 * the fact, in upper case when it is done. See {@link LogCrashModel} for the lines.
 */
final class LogCrashChild {
  private final TransactionLog log;
  private final Random random;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
  private long epoch;
  private boolean begins = true;

  private LogCrashChild(TransactionLog log, Random random, long epoch) {
    this.log = log;
    this.random = random;
    this.epoch = epoch;
  }

  /** Arguments: directory, seed, a first epoch above all used before. */
  public static void main(String[] args) throws IOException {
    TransactionLog log = JeTransactionLog.open(Path.of(args[0]));
    System.out.println("o");
    new LogCrashChild(log, new Random(Long.parseLong(args[1])), Long.parseLong(args[2])).run();
  }

  private void run() throws IOException {
    for (; ; ) {
      int what = random.nextInt(1000);
      if (what < 900) {
        append();
      } else if (what < 930) {
        record();
      } else if (what < 960) {
        truncate();
      } else if (what < 985) {
        snapshot();
      } else if (what < 995) {
        trim();
      } else {
        reset();
      }
    }
  }

  private void append() {
    for (int batches = random.nextInt(5); batches >= 0; batches--) {
      long position = log.end().position();
      if (begins) {
        say("e " + epoch + " " + position);
        begins = false;
      }
      log.append(LogCrashModel.batch(buffer, epoch, position));
    }
    if (random.nextInt(3) > 0) {
      log.force(random.nextInt(10) == 0 ? AckLevel.FLUSHED : AckLevel.PERSISTED);
      say("F " + log.end().position());
    }
  }

  private void record() {
    long number = random.nextLong();
    say("r " + number);
    log.save(new GroupRecord(number, 1, 2, 3, number));
    say("R " + number);
  }

  private void truncate() {
    long from = Math.max(log.start(), log.end().position() - 60);
    if (from < log.end().position()) {
      List<Long> starts = LogCrashModel.positions(log, from);
      starts.add(log.end().position());
      long position = starts.get(random.nextInt(starts.size()));
      say("t " + position);
      log.truncate(position);
      nextEpoch();
      say("T " + position);
    }
  }

  private void nextEpoch() {
    epoch++;
    begins = true;
  }

  private void snapshot() throws IOException {
    LogEnd end = log.end();
    if (end.position() == 0) {
      return;
    }
    int bytes = random.nextInt(4) == 0 ? 600_000 : random.nextInt(1000);
    say("s " + end.epoch() + " " + end.position());
    TransactionLogContract.save(log, end, end.position(), bytes);
    say("S " + end.epoch() + " " + end.position());
  }

  private void trim() {
    say("c " + log.snapshot().position());
    log.trim(log.snapshot().position());
  }

  private void reset() throws IOException {
    nextEpoch();
    LogEnd end = new LogEnd(epoch, random.nextInt(100_000));
    say("x " + end.epoch() + " " + end.position());
    log.reset(end);
    TransactionLogContract.save(log, end, end.position(), 1000);
    say("X " + end.epoch() + " " + end.position());
    nextEpoch();
  }

  private static void say(String line) {
    System.out.println(line + LogCrashModel.WHOLE);
    if (System.out.checkError()) {
      // Nobody listens any more.
      Runtime.getRuntime().halt(1);
    }
  }
}
