package dev.weir.bench.cluster.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.processor.MemberSetup.ThreadsAtRest;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.ProcessThreads;
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

class MemberSetupTest {
  private static final NodeAddress ADDRESS = NodeAddress.ofLocalPrimary();

  private static MemberSetup setup(CpuConfig config) {
    ProcessThreads threads =
        ThreadPlan.of(
                new ThreadRequest(
                    OptimizeFor.LATENCY,
                    config.preset(OptimizeFor.LATENCY),
                    Replication.TCP,
                    true,
                    true,
                    Map.of()),
                2)
            .primary();
    return new MemberSetup(
        MemberSetup.PRIMARY,
        ADDRESS,
        Path.of("/some where/log"),
        new GroupSetup(Kind.SR, Encoding.SBE_DIRECT, Replication.TCP, true, AckLevel.PERSISTED, 5),
        ThreadsAtRest.of(threads));
  }

  @ParameterizedTest
  @EnumSource(CpuConfig.class)
  void aChildProcessGetsTheSameSetup(CpuConfig config) throws Exception {
    MemberSetup setup = setup(config);

    assertThat(MemberSetup.fromJson(setup.toJson())).isEqualTo(setup);
  }

  @Test
  void aGroupHasTheThreadsOfThePlan() {
    GroupOptions small = setup(CpuConfig.MINCPU).groupOptions();
    GroupOptions large = setup(CpuConfig.MAXCPU).groupOptions();

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
  void anAddressHasTheDefaultPortsOfItsRole() {
    assertThat(ADDRESS).isEqualTo(new NodeAddress("127.0.0.1", 5701, "127.0.0.1:5702"));
    assertThat(NodeAddress.of(true, "10.0.0.2", null, "10.0.0.1:5701"))
        .isEqualTo(new NodeAddress("10.0.0.2", 5702, "10.0.0.1:5701"));
  }
}
