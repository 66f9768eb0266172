package dev.weir.cluster.state;

import dev.weir.cluster.AckLevel;
import java.nio.file.Path;
import java.util.Random;

/**
 * Changes a state on a disk at random until it is killed. It says each new epoch, and the position
 * where it begins, before the log is truncated there.
 */
final class StoredStateChild {
  private StoredStateChild() {}

  /** Arguments: directory, seed, an epoch above all used before. */
  public static void main(String[] args) {
    Random random = new Random(Long.parseLong(args[1]));
    long epoch = Long.parseLong(args[2]);
    StoredMember member = new StoredMember(Path.of(args[0]), random.nextInt(30_000));
    say("e " + epoch + " " + member.end());
    for (; ; ) {
      append(member, epoch, random.nextInt(40));
      if (random.nextInt(3) == 0) {
        member.log.force(AckLevel.PERSISTED);
      }
      int what = random.nextInt(12);
      if (what == 0) {
        long position = member.boundary(random);
        epoch++;
        say("e " + epoch + " " + position);
        member.history.truncate(position);
      } else if (what < 4) {
        member.takeSnapshot();
        append(member, epoch, random.nextInt(20));
        member.writeSnapshot();
        append(member, epoch, random.nextInt(20));
        member.finishSnapshot();
      }
    }
  }

  private static void append(StoredMember member, long epoch, int messages) {
    for (int i = 0; i < messages; i++) {
      member.append(epoch);
    }
  }

  private static void say(String line) {
    System.out.println(line + " .");
    if (System.out.checkError()) {
      // Nobody listens any more.
      Runtime.getRuntime().halt(1);
    }
  }
}
