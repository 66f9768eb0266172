package dev.weir.bench.eventbus.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForceCountTest {
  @TempDir Path directory;

  private void force(String name, int times) throws IOException {
    Path file = directory.resolve(name);
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < times; i++) {
        log.write(ByteBuffer.allocate(10));
        log.force(false);
      }
    }
  }

  @Test
  void countsForcesOfTheLogOnly() throws Exception {
    int messages =
        ForceCount.messagesPerForce(
            () -> {
              force("00000000.jdb", 5);
              force("000001.seg", 3);
              return null;
            },
            1000);
    assertThat(messages).isEqualTo(200);
  }

  @Test
  void withoutAForceAllMessagesOfARoundAreOfOne() throws Exception {
    assertThat(ForceCount.messagesPerForce(() -> null, 1000)).isEqualTo(1000);
  }
}
