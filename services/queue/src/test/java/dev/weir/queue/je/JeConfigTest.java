package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sleepycat.je.EnvironmentConfig;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JeConfigTest {
  @TempDir Path directory;

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  @Test
  void anEnvironmentThatCannotBeOpenedLeavesNoThread() throws IOException {
    QueueStoreOptions options = new QueueStoreOptions(directory).setMinFreeBytes(1 << 20);
    JeConfig.open(directory, JeConfig.environment(options, true)).close();
    Path log = LogFiles.of(directory).get(0);
    byte[] bytes = Files.readAllBytes(log);
    // In the header of the file.
    bytes[20] ^= 1;
    Files.write(log, bytes);
    Set<Thread> before = threads();
    for (EnvironmentConfig config :
        List.of(JeConfig.environment(options, true), JeConfig.readOnlyEnvironment())) {
      assertThatThrownBy(() -> JeConfig.open(directory, config)).isInstanceOf(Exception.class);
      Set<Thread> left = threads();
      left.removeAll(before);
      left.removeIf(thread -> !thread.isDaemon());
      Await.until(() -> "threads end: " + left, () -> left.stream().noneMatch(Thread::isAlive));
    }
  }
}
