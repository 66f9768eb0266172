package dev.weir.bench.cluster.wiretowire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.threads.PlannedThread;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.wiretowire.WireToWireCase.Threads;
import dev.weir.cluster.AckLevel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WireToWireCaseTest {

  @Test
  void everyCaseHasANameOfItsOwn() {
    assertThat(WireToWireCase.all(2))
        .hasSize(17)
        .extracting(WireToWireCase::toString)
        .doesNotHaveDuplicates();
    assertThat(WireToWireCase.all(6)).hasSize(21);
  }

  @Test
  void everyProcessorHasALogAndItsBackupInAChildProcess() {
    for (WireToWireCase one : WireToWireCase.all(6)) {
      ProcessorSetup setup = one.setup(Path.of("logs"));

      assertThat(setup.backup()).isEqualTo(Backup.CHILD);
      assertThat(setup.group().isPersistence()).isTrue();
      assertThat(setup.group().getAckLevel()).isEqualTo(AckLevel.PERSISTED);
      assertThat(setup.kind()).isEqualTo(one.kind());
      assertThat(setup.encoding()).isEqualTo(one.encoding());
      assertThat(setup.group().getReplication()).isEqualTo(one.transport());
    }
  }

  @Test
  void nothingSpinsWhereThatIsAsked() {
    for (WireToWireCase one : WireToWireCase.all(6)) {
      ProcessorSetup setup = one.setup(Path.of("logs"));

      if (one.asked() != Threads.CONFIGURED) {
        assertThat(setup.threads().primary().threads()).noneMatch(PlannedThread::spins);
        assertThat(setup.threads().backup().threads()).noneMatch(PlannedThread::spins);
      }
      if (one.asked() == Threads.LOG_DETACHED) {
        assertThat(setup.threads().primary().has(Task.PERSISTER)).isTrue();
        assertThat(setup.threads().backup().has(Task.PERSISTER)).isTrue();
      }
    }
  }
}
