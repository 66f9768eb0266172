package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadableLogTest {
  @TempDir private Path directory;

  @Test
  void aCopyThatFailsForAnotherReasonIsNotToldAsAFullDisk() {
    Path gone = directory.resolve("gone");
    assertThatThrownBy(() -> ReadableLog.rebuilt(gone, null))
        .isInstanceOfSatisfying(
            QueueException.class, e -> assertThat(e.reason()).isEqualTo(Reason.STORE_FAILED))
        .hasMessageContaining("cannot be copied: ")
        .hasMessageContaining("" + gone);
  }
}
