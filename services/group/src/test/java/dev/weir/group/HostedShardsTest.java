package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import org.junit.jupiter.api.Test;

class HostedShardsTest {
  @Test
  void replicasOfAMemberThatHoldsManySendFewerHeartbeatsAndStillFourALease() {
    GroupOptions options = new GroupOptions();
    assertThat(HostedShards.heartbeatMs(options, 1)).isEqualTo(50);
    assertThat(HostedShards.heartbeatMs(options, 32)).isEqualTo(50);
    assertThat(HostedShards.heartbeatMs(options, 64)).isEqualTo(100);
    assertThat(HostedShards.heartbeatMs(options, 256)).isEqualTo(150);
    assertThat(HostedShards.heartbeatMs(options, 1_000_000)).isEqualTo(150);
  }

  @Test
  void aPauseThatIsAskedForIsNeverShortened() {
    GroupOptions options = new GroupOptions().setLeaseMs(1_000).setHeartbeatMs(450);
    assertThat(HostedShards.heartbeatMs(options, 1_000)).isEqualTo(450);
  }

  @Test
  void aLongLeaseMakesNoPauseLongerThanASecond() {
    GroupOptions options =
        new GroupOptions().setHeartbeatMs(700).setLeaseMs(60_000).setTakeoverMs(100_000);
    assertThat(HostedShards.heartbeatMs(options, 256)).isEqualTo(1_000);
    assertThat(HostedShards.heartbeatMs(options.setHeartbeatMs(2_000), 256)).isEqualTo(2_000);
  }
}
