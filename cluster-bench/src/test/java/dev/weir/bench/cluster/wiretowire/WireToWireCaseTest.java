package dev.weir.bench.cluster.wiretowire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.processor.ProcessorStarter;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.PlannedThread;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.wiretowire.WireToWireCase.Threads;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.AckLevel;
import dev.weir.processor.Encoding;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class WireToWireCaseTest {

  @Test
  void everyCaseHasANameOfItsOwn() {
    assertThat(WireToWireCase.all())
        .hasSize(48)
        .extracting(WireToWireCase::toString)
        .doesNotHaveDuplicates();
    assertThat(WireToWireCase.few()).hasSize(7);
  }

  @Test
  void everyProcessorHasALogAndItsBackupInAChildProcess() {
    for (WireToWireCase one : WireToWireCase.all()) {
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
  void whatIsMeasuredIsWhatTheProcessorIsOptimizedForUnlessItIsComparedWithThat() {
    for (WireToWireCase one : WireToWireCase.all()) {
      boolean other = one.asked() == Threads.BLOCKING_FOR_OTHER;
      OptimizeFor expected = other ? one.measured().other() : one.measured();

      assertThat(one.optimize()).isEqualTo(expected);
      assertThat(one.setup(Path.of("logs")).group().getMaxBatches())
          .isEqualTo(expected == OptimizeFor.LATENCY ? 64 : 2);
    }
  }

  @Test
  void everyEncodingIsMeasured() {
    assertThat(WireToWireCase.all())
        .extracting(WireToWireCase::encoding)
        .contains(Encoding.values());
  }

  @Test
  void aShortRunHasTheFourTablesAndBothKindsOfThreads() {
    assertThat(
            new HashSet<>(
                WireToWireCase.few().stream()
                    .map(one -> one.access() + " " + one.measured())
                    .toList()))
        .hasSize(4);
    assertThat(WireToWireCase.few())
        .extracting(WireToWireCase::asked)
        .contains(Threads.CONFIGURED, Threads.BLOCKING);
  }

  @Test
  void onlyAConfigurationWithAThreadForEverythingNeedsManyCpus() {
    for (WireToWireCase one : WireToWireCase.all()) {
      boolean latency = one.measured() == OptimizeFor.LATENCY;
      assertThat(one.neededCpus())
          .isEqualTo(one.config() != CpuConfig.MAXCPU ? 1 : latency ? 10 : 9);
    }
  }

  @Test
  void aConfigurationRunsOnAMachineThatHasACpuForEveryThreadThatSpins() {
    assertThat(WireToWireCase.all())
        .allMatch(one -> one.runsOn(10))
        .allMatch(one -> one.runsOn(2) == (one.config() != CpuConfig.MAXCPU));
  }

  @Test
  void theCommandOfACaseRunsItAlone() {
    for (WireToWireCase one : WireToWireCase.all()) {
      String[] words = one.command().split(" ");
      ProcessorProgram program = new ProcessorProgram(one.kind(), ProcessorStarter::open);
      CommandLine line = new CommandLine(program);
      line.parseArgs(Arrays.copyOfRange(words, 4, words.length));
      ProcessorSetup byCommand = program.options.setup(one.kind(), new Usage(line));
      ProcessorSetup setup = one.setup(Path.of("logs"));

      assertThat(words[3]).isEqualTo(one.kind() + "-processor");
      assertThat(byCommand.group().toMap()).isEqualTo(setup.group().toMap());
      assertThat(byCommand.threads()).isEqualTo(setup.threads());
      assertThat(byCommand.encoding()).isEqualTo(setup.encoding());
      assertThat(byCommand.backup()).isEqualTo(setup.backup());
    }
  }

  @Test
  void nothingSpinsWhereThatIsAsked() {
    for (WireToWireCase one : WireToWireCase.all()) {
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
