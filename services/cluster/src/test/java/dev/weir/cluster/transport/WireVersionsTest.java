package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.Control;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A member speaks its own version of the protocol and the one before. */
class WireVersionsTest {
  private static final GroupAgreement HERE =
      GroupAgreement.of(new GroupOptions().setMembers(List.of("a", "b")), "test");

  /** What a member of 0.1 sends as its agreement: it names one version. */
  private static final GroupAgreement BEFORE =
      GroupAgreement.parse(
          "protocol=3; members=a,b; witness=(none); processor=test; minInSync=1;"
              + " pairPolicy=BACKUP_TAKES_OVER; ackLevel=PERSISTED; persistence=true; leaseMs=600;"
              + " takeoverMs=1000; maxMessageBytes=65536; replyWindow=16384; maxClients=100000;"
              + " clientExpiryMs=600000; frame bytes by batchBytes="
              + FrameLimits.of(new GroupOptions()).maxFrameBytes());

  /** A heartbeat of version 3: all of its fields, and nothing after them. */
  private static final String HEARTBEAT =
      "00000000" // type
          + "0000000000000004" // epoch
          + "0000000000000007" // number
          + "0000000000000065" // sender
          + "00000000000000ca" // receiver
          + "0000000000000037" // when it was sent
          + "0000000000000004" // epoch of the in-sync set
          + "00000003" // in-sync set
          + "0000000000000002" // version
          + "1122334455667788" // disks
          + "0000000000000063" // voter
          + "0000000000003039" // disk
          + "00000000" // primary
          + "0000000000000004" // epoch of the end
          + "000000000000000a" // position of the end
          + "0000000000000002"; // flags

  private static GroupAgreement speaking(int oldest, int newest) {
    return GroupAgreement.parse(
        HERE.text()
            .replace(
                "protocol=3; newest protocol=3",
                "protocol=" + oldest + "; newest protocol=" + newest));
  }

  @Test
  void aMemberThatNamesOneVersionIsConnected() {
    assertThat(HERE.difference(BEFORE)).isNull();
    assertThat(HERE.text()).as("what 0.1 compares").startsWith("protocol=3; ");
  }

  @Test
  void aHeartbeatIsReadAndWrittenAsBefore() {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(HEARTBEAT));
    Control read = Control.decode(bytes);
    assertThat(bytes.hasRemaining()).isFalse();
    assertThat(read.epoch()).isEqualTo(4);
    assertThat(read.end().position()).isEqualTo(10);
    assertThat(read.disk()).isEqualTo(12_345);
    ByteBuffer out = ByteBuffer.allocate(Control.BYTES);
    read.encode(out, false);
    assertThat(HexFormat.of().formatHex(out.array(), 0, out.position())).isEqualTo(HEARTBEAT);
  }

  @Test
  void theNextVersionIsConnectedIfItSpeaksThisOneToo() {
    assertThat(HERE.difference(speaking(3, 4))).isNull();
    assertThat(speaking(3, 4).difference(HERE)).isNull();
    assertThat(speaking(3, 4).difference(BEFORE)).isNull();
  }

  @Test
  void aVersionThatDoesNotSpeakThisOneIsRefusedWithBothVersions() {
    assertThat(HERE.difference(speaking(4, 5))).isEqualTo("there protocol is 4 to 5, here 3 to 3");
    assertThat(HERE.difference(speaking(2, 2))).isEqualTo("there protocol is 2 to 2, here 3 to 3");
    assertThat(HERE.difference(GroupAgreement.parse("nothing")))
        .contains("there protocol is 0 to 0");
  }
}
