package dev.weir.cluster;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A group alone, with a thread for each part of its work, that takes numbers until it is killed and
 * says what it replied.
 */
final class GroupCrashChild {
  static final String REPLIED = "R ";

  private GroupCrashChild() {}

  /** Arguments: directory, the first sequence to send. */
  public static void main(String[] args) {
    long sequence = Long.parseLong(args[1]);
    ProcessorGroup group =
        GroupBuilder.alone(options(), Path.of(args[0]))
            .processor(new SumProcessor())
            .replies(
                (client, number, buffer, offset, length) ->
                    System.out.println(REPLIED + number + " " + buffer.getLong(offset) + " ."))
            .start();
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES);
    for (; ; ) {
      Intake intake =
          group.offer(TestGroup.CLIENT, sequence, body.putLong(0, sequence), 0, Long.BYTES);
      if (intake == Intake.ACCEPTED || intake == Intake.ANSWERED || intake == Intake.PENDING) {
        sequence++;
      } else {
        LockSupport.parkNanos(1_000);
      }
      if (sequence % 7 == 0) {
        group.flush();
      }
    }
  }

  static GroupOptions options() {
    return TestGroup.quick()
        .setMembers(List.of("alone"))
        .setThreads(DetachedGroupReplicaTest.all(Waiting.BLOCK));
  }
}
