package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeakCheckTest {
  @TempDir private Path directory;

  @Test
  void findsAThreadThatWasStartedSince() throws Exception {
    var then = LeftThreads.now();
    CountDownLatch end = new CountDownLatch(1);
    Thread left = new Thread(() -> await(end), "left-over");
    left.start();
    Await.until("the thread waits", () -> left.getState() == Thread.State.WAITING);

    assertThat(LeftThreads.since(then)).containsExactly(left);
    assertThat(LeftThreads.describe(List.of(left))).startsWith("left-over at ");
    assertThat(LeftThreads.since(LeftThreads.now())).isEmpty();
    end.countDown();
    left.join();
    assertThat(LeftThreads.since(then)).isEmpty();
  }

  @Test
  void overlooksThreadsThatTheJvmShares() throws Exception {
    var then = LeftThreads.now();
    CountDownLatch end = new CountDownLatch(1);
    Thread shared = new Thread(() -> await(end), "process reaper (pid 1)");
    shared.start();

    assertThat(LeftThreads.since(then)).isEmpty();
    end.countDown();
    shared.join();
  }

  @Test
  void findsAFileThatWasOpenedSinceAlsoASecondTime() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    List<FileChannel> channels = new ArrayList<>();
    channels.add(FileChannel.open(file, StandardOpenOption.WRITE));
    List<String> then = OpenFiles.now();

    channels.add(FileChannel.open(file, StandardOpenOption.WRITE));

    assertThat(OpenFiles.since(then)).containsExactly(file.toRealPath().toString());
    for (FileChannel channel : channels) {
      channel.close();
    }
    assertThat(OpenFiles.since(then)).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
