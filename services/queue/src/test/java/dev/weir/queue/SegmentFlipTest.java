package dev.weir.queue;

import dev.weir.queue.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same as {@link ByteFlipTest}, of the bytes of segments. */
@Tag("slow")
class SegmentFlipTest extends ByteFlipTest {
  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(1000);
  }

  @Override
  List<Path> bodyFiles(Path store) throws IOException {
    return SegmentDirectory.of(store);
  }

  @Override
  boolean isNewestCounted() {
    return true;
  }
}
