package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.TestGroup;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log has batches that are larger than what the group allows today. */
@Timeout(300)
class LoweredLimitsTest {
  private static final int LARGE = 40_000;

  @TempDir private Path directory;

  @Test
  void aMemberThatIsBehindGetsWhatWasWrittenUnderLargerLimits() {
    try (TestGroup group = new TestGroup(TestGroup.patient(), 2, directory, false).startAll()) {
      group.awaitInSync(2);
      int primary = group.primary();
      int other = 1 - primary;
      group.send(1, 5);
      group.kill(other);
      group.awaitPrimary();
      ByteBuffer large = ByteBuffer.allocate(LARGE).putLong(0, 6);
      Await.until(
          "the large message is taken",
          () ->
              group.member(primary).offer(TestGroup.CLIENT, 6, large, 0, LARGE)
                  == OfferResult.ACCEPTED);
      group.send(7, 10);
      group.closeGracefully(primary);
      group.options.setBatchBytes(1 << 10).setMaxMessageBytes(1 << 10);
      group.start(primary);
      group.awaitPrimary();
      group.start(other);
      group.awaitInSync(2);
      group.send(11, 20);
      assertThat(group.replies.get(20L)).isEqualTo(20 * 21 / 2);
      Await.until(
          "both have the same end",
          () ->
              group.member(other).stats().logEnd() == group.member(primary).stats().logEnd()
                  && group.member(primary).stats().logEnd() == 20);
    }
  }
}
