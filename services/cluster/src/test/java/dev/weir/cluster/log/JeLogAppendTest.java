package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Allocation;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an append costs: JE copies the batch into its record and the record into an entry of its
 * log, each a new array, and makes about 1,500 bytes of objects around them.
 */
class JeLogAppendTest {
  private static final int OBJECTS_BYTES = 2500;

  @TempDir Path directory;

  private long allocatedBytes(int bodyBytes, int runs) {
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(bodyBytes + 100);
      TestBatches.put(buffer, 0, 1, 0, 1, bodyBytes);
      CRC32C crc = new CRC32C();
      long[] position = {0};
      return Allocation.bytesPerRun(
          runs,
          () -> {
            buffer.putLong(16, position[0]++);
            Batch.seal(buffer, 0, crc);
            log.append(buffer);
            log.force(AckLevel.PERSISTED);
          });
    }
  }

  @Test
  void aSmallBatchAllocatesLittleMoreThanJeMust() {
    assertThat(allocatedBytes(200, 2000)).isLessThan(2 * 260 + OBJECTS_BYTES);
  }

  @Test
  void aLargeBatchAllocatesItsTwoCopies() {
    assertThat(allocatedBytes(64 << 10, 100)).isLessThan(2 * (64 << 10) + OBJECTS_BYTES);
  }
}
