package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
        .isThrownBy(() -> pair().setLeaseMs(1000).setTakeoverMs(1000).validate())
        .withMessageContainingAll("leaseMs is 1000", "less than takeoverMs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setHeartbeatMs(400).validate())
        .withMessageContainingAll("heartbeatMs is 400", "half of leaseMs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setMinInSync(3).validate())
        .withMessageContainingAll("minInSync is 3", "1 to the number of members, 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setPersistence(false).validate())
        .withMessageContainingAll("ackLevel is PERSISTED", "RECEIVED");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pair().setLinkWaiting(Waiting.SPIN).validate())
        .withMessageContainingAll("linkWaiting is SPIN", "BLOCK");
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
  void aCopyHasEverything() {
    GroupOptions options =
        pair().setName("g").setMinInSync(2).setAckLevel(AckLevel.FLUSHED).setSnapshotBytes(1 << 20);
    assertThat(new GroupOptions(options)).usingRecursiveComparison().isEqualTo(options);
  }
}
