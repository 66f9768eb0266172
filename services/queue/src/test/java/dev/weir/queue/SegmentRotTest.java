package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same as {@link BitRotTest}, of messages in segment files. */
class SegmentRotTest extends BitRotTest {
  @Override
  public QueueStoreOptions storeOptions() {
    // Less than one message, so that no packet is in JE, which serves it from its log buffer.
    return super.storeOptions().setSegmentThresholdBytes(1024);
  }

  @Override
  List<Path> bodyFiles() throws IOException {
    return SegmentDirectory.of(directory);
  }

  @Test
  void theMessagesAreInSegments() throws IOException {
    fill();
    assertThat(bodyFiles()).hasSizeGreaterThan(2);
    assertThat(LogDamage.logs(directory)).hasSize(1);
  }
}
