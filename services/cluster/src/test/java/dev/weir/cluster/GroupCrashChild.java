package dev.weir.cluster;

import dev.weir.cluster.replica.DetachedGroupReplicaTest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A group alone, with a thread for each part of its work, that takes numbers until it is killed and
 * says what it replied.
 */
final class GroupCrashChild {
  static final String REPLIED = "R ";
  // With what a pipe holds, well below the replies that a group keeps: what was not read before
  // the kill must still be known after it.
  private static final int WINDOW = 1_000;

  private GroupCrashChild() {}

  /** Arguments: directory, the first sequence to send. */
  public static void main(String[] args) {
    long sequence = Long.parseLong(args[1]);
    AtomicLong replied = new AtomicLong(sequence - 1);
    ProcessorGroup group =
        GroupBuilder.alone(options(), Path.of(args[0]))
            .processor(new SumProcessor())
            .replies(
                (client, number, buffer, offset, length) -> {
                  System.out.println(REPLIED + number + " " + buffer.getLong(offset) + " .");
                  replied.set(number);
                  if (System.out.checkError()) {
                    // Nobody listens any more.
                    Runtime.getRuntime().halt(1);
                  }
                })
            .start();
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES);
    for (; ; ) {
      if (sequence - replied.get() > WINDOW) {
        LockSupport.parkNanos(1_000);
        continue;
      }
      OfferResult intake =
          group.offer(TestGroup.CLIENT, sequence, body.putLong(0, sequence), 0, Long.BYTES);
      switch (intake) {
        case ACCEPTED, ANSWERED, PENDING -> sequence++;
        case BUSY, NOT_PRIMARY, UNAVAILABLE -> LockSupport.parkNanos(1_000);
        default -> throw new IllegalStateException("number " + sequence + " is " + intake);
      }
      if (sequence % 7 == 0) {
        group.flush();
      }
    }
  }

  static GroupOptions options() {
    return TestGroup.patient()
        .setMembers(List.of("alone"))
        .setThreads(DetachedGroupReplicaTest.all(Waiting.BLOCK));
  }
}
