package dev.weir.bench.cluster.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.cluster.threads.ThreadRequest;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Replication;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import dev.weir.processor.Encoding;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemberTest {

  private static Member member(CpuConfig config) {
    ThreadPlan plan =
        ThreadPlan.of(
            new ThreadRequest(
                OptimizeFor.LATENCY,
                config.preset(OptimizeFor.LATENCY),
                Replication.TCP,
                true,
                true,
                Map.of()),
            2);
    ProcessorSetup setup =
        new ProcessorSetup(
            Kind.SR,
            Encoding.SBE_DIRECT,
            ProcessorSetup.groupOptions(Replication.TCP, true, AckLevel.PERSISTED)
                .setThreads(new ThreadOptions().setReplyQueueDepth(5)),
            Backup.CHILD,
            plan,
            Path.of("logs"),
            ProcessorSetup.localPrimary());
    return setup.member(ProcessorSetup.PRIMARY, Path.of("/some where/log"), plan.primary());
  }

  @ParameterizedTest
  @EnumSource(CpuConfig.class)
  void aChildProcessGetsTheSameOptions(CpuConfig config) {
    Member member = member(config);
    Member read = Member.fromJson(member.toJson());

    assertThat(read.kind()).isEqualTo(member.kind());
    assertThat(read.encoding()).isEqualTo(member.encoding());
    assertThat(read.node().toMap()).isEqualTo(member.node().toMap());
    assertThat(read.group().toMap()).isEqualTo(member.group().toMap());
  }

  @Test
  void aGroupHasTheThreadsOfThePlan() {
    GroupOptions small = member(CpuConfig.MINCPU).group();
    GroupOptions large = member(CpuConfig.MAXCPU).group();

    assertThat(small.getWaiting()).isEqualTo(Waiting.SPIN);
    assertThat(small.getLinkWaiting()).isEqualTo(Waiting.BLOCK);
    assertThat(small.getThreads())
        .usingRecursiveComparison()
        .isEqualTo(new ThreadOptions().setReplyQueueDepth(5));
    assertThat(large.getThreads())
        .usingRecursiveComparison()
        .isEqualTo(
            new ThreadOptions()
                .setPersister(Waiting.BLOCK)
                .setSender(Waiting.BLOCK)
                .setDispatcher(Waiting.BLOCK)
                .setReplies(Waiting.BLOCK)
                .setReplyQueueDepth(5));
  }

  @Test
  void aMemberHasTheDefaultPortsOfItsRole() {
    assertThat(ProcessorSetup.localPrimary().getPort()).isEqualTo(5701);
    assertThat(ProcessorSetup.localPrimary().getJoin()).containsExactly("127.0.0.1:5702");
    assertThat(ProcessorSetup.nodeOptions(true, "10.0.0.2", null, null).getPort()).isEqualTo(5702);
    assertThat(ProcessorSetup.nodeOptions(true, "10.0.0.2", null, "10.0.0.1:5701").getJoin())
        .containsExactly("10.0.0.1:5701");
  }
}
