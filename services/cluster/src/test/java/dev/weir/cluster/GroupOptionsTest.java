package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.cluster.replica.DetachedGroupReplicaTest;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupOptionsTest {
  private static GroupOptions pair() {
    return new GroupOptions().setMembers(List.of("a", "b"));
  }

  @Test
  void defaultsGoTogether() {
    assertThat(pair().validate().getLinkWaiting()).isEqualTo(Waiting.BLOCK);
  }

  @Test
  void everyRefusalNamesTheOptionTheValueAndWhatIsAllowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setLeaseMs(1000).setTakeoverMs(1199).validate())
        .withMessageContainingAll("takeoverMs is 1199", "1.2 times leaseMs", "1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setHandBackMs(2999).validate())
        .withMessageContainingAll("handBackMs is 2999", "0 or at least 3 times takeoverMs", "1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setHandBackMs(-1))
        .withMessageContainingAll("handBackMs is -1", "0 to 86400000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GroupBuilder.alone(new GroupOptions().setMembers(List.of("a")), null))
        .withMessageContaining("directory must not be null");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setHeartbeatMs(400).validate())
        .withMessageContainingAll("heartbeatMs is 400", "half of leaseMs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setMinInSync(3).validate())
        .withMessageContainingAll("minInSync is 3", "1 to the number of members, 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> pair().setMinInSync(2).setPairPolicy(PairPolicy.PRIMARY_CONTINUES).validate())
        .withMessageContainingAll("pairPolicy is PRIMARY_CONTINUES", "minInSync is 2", "[a, b]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setPersistence(false).validate())
        .withMessageContainingAll("ackLevel is PERSISTED", "RECEIVED");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setLinkWaiting(Waiting.SPIN).validate())
        .withMessageContainingAll("linkWaiting is SPIN", "BLOCK");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThreadOptions().setReplyQueueDepth(0))
        .withMessageContainingAll("replyQueueDepth is 0", "1 to 1048576");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupOptions().setMembers(List.of("a", "a")))
        .withMessageContainingAll("members is [a, a]", "each name once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupOptions().setName("no blanks"))
        .withMessageContainingAll("name is no blanks", "letters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupOptions().setReplyWindow(0))
        .withMessageContainingAll("replyWindow is 0", "1 to 1048576");
  }

  @Test
  void timesThatJustGoTogetherAreTaken() {
    pair().setLeaseMs(1000).setTakeoverMs(1200).setHandBackMs(3600).validate();
    pair().setLeaseMs(25).setTakeoverMs(30).setHeartbeatMs(12).validate();
  }

  @Test
  void aCopyHasEverything() {
    GroupOptions options =
        pair()
            .setName("g")
            .setMinInSync(2)
            .setAckLevel(AckLevel.FLUSHED)
            .setHandBackMs(4_000)
            .setSnapshotBytes(1 << 20)
            .setThreads(DetachedGroupReplicaTest.all(Waiting.SPIN).setReplyQueueDepth(7));
    assertThat(new GroupOptions(options)).usingRecursiveComparison().isEqualTo(options);
  }

  @Test
  void linksMaySpinInAGroupThatDoesNotIfADispatcherHandlesWhatIsRead() {
    ThreadOptions threads = new ThreadOptions().setDispatcher(Waiting.BLOCK);
    GroupOptions options = pair().setLinkWaiting(Waiting.SPIN).setThreads(threads);
    assertThat(options.validate().getLinkWaiting()).isEqualTo(Waiting.SPIN);
  }
}
