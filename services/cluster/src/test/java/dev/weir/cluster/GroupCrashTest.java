package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a group whose log is written by a thread of its own, again and again over the same
 * directory. What was replied stays so: the sum in each reply is that of all numbers up to it,
 * which it is only if each was handled once and in order.
 */
@Tag("slow")
class GroupCrashTest {
  private static final int KILLS = 5;
  private static final int REPLIES = 500;

  @TempDir Path directory;

  @Test
  @Timeout(900)
  void whatWasRepliedIsKeptInOrderAndHandledOnce() throws IOException {
    long replied = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      // From a number on that was replied before: it must be answered again, not handled again.
      List<String> lines = run(Math.max(1, replied - 10));
      for (String line : lines) {
        String[] words = line.split(" ");
        if (words.length == 4) {
          long number = Long.parseLong(words[1]);
          assertThat(Long.parseLong(words[2])).isEqualTo(number * (number + 1) / 2);
          replied = Math.max(replied, number);
        }
      }
    }
    assertThat(replied).isGreaterThan(KILLS * REPLIES / 2);
  }

  private List<String> run(long from) throws IOException {
    try (ChildJvm child =
        ChildJvm.start(GroupCrashChild.class, directory.toString(), Long.toString(from))) {
      child.await(GroupCrashChild.REPLIED + (from + REPLIES) + " ");
      child.signal("KILL");
      Await.until("the child ends", () -> !child.isAlive());
      return child.lines();
    }
  }
}
