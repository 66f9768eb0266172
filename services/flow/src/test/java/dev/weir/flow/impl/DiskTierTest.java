package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.BackupStatus;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiskTierTest {
  @Test
  void aThreadThatCannotBeStartedFailsTheCall() {
    Future<String> call =
        DiskTier.call(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            () -> "never");
    assertThat(Futures.failure("the call", call)).hasMessageContaining("native thread");
  }

  @Test
  void aBackupThatFailsWithoutAMessageIsNotTakenForDone() {
    BackupStatus running = new BackupStatus(Path.of("target"), 1, 2, true, null);
    assertThat(DiskTier.ended(running, new NullPointerException()).failure())
        .contains("NullPointerException");
    assertThat(DiskTier.ended(running, new IllegalStateException("no room")).failure())
        .isEqualTo("no room");
    assertThat(DiskTier.ended(running, null).failure()).isNull();
  }
}
