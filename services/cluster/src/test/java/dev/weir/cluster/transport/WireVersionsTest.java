package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.Membership;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A member speaks its own version of the protocol and the one before. */
class WireVersionsTest {
  private static final GroupOptions OPTIONS = new GroupOptions().setMembers(List.of("a", "b"));
  private static final GroupAgreement HERE = GroupAgreement.of(OPTIONS, "test");
  private static final Membership CHANGED = new Membership(List.of("a", "b", "c"), -1);

  /** What a member of version 3 sent as its agreement, which names one version. */
  private static final GroupAgreement BEFORE =
      GroupAgreement.parse(HERE.text().replace("; newest protocol=4", ""));

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

  @Test
  void aMemberOfTheVersionBeforeIsConnected() {
    assertThat(BEFORE.text()).contains("protocol=3").doesNotContain("newest");
    assertThat(HERE.difference(BEFORE, "a", "b")).isNull();
    assertThat(HERE.text()).as("what the version before compares").startsWith("protocol=3; ");
  }

  @Test
  void aHeartbeatOfTheVersionBeforeIsUnderstoodAndSentToItAsItWas() {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(HEARTBEAT));
    Control read = Control.decode(bytes);
    assertThat(bytes.hasRemaining()).isFalse();
    assertThat(read.record().membership()).isNull();
    assertThat(read.epoch()).isEqualTo(4);
    assertThat(read.end().position()).isEqualTo(10);
    assertThat(read.disk()).isEqualTo(12_345);
    ByteBuffer out = ByteBuffer.allocate(Control.BYTES);
    read.encode(out, false, 1);
    assertThat(HexFormat.of().formatHex(out.array(), 0, out.position())).isEqualTo(HEARTBEAT);
  }

  @Test
  void aMemberStatesTheVersionOfItsApplicationAboveTheFlags() {
    Control read = Control.decode(ByteBuffer.wrap(HexFormat.of().parseHex(HEARTBEAT)));
    assertThat(read.version()).as("what the version before sends").isEqualTo(1);
    ByteBuffer out = ByteBuffer.allocate(Control.BYTES);
    read.encode(out, true, Batch.MAX_VERSION);
    Control stated = Control.decode(out.flip());
    assertThat(stated.version()).isEqualTo(Batch.MAX_VERSION);
    assertThat(stated.has(Control.BEHIND)).isTrue();
    assertThat(stated.flags() & 0xFF).isEqualTo(read.flags() | Control.BEHIND);
  }

  /** A batch of one message without a body: what all versions before wrote. */
  private static final String BATCH =
      "00000001" // format
          + "0000003c" // bytes
          + "0000000000000002" // epoch
          + "0000000000000005" // position
          + "00000001" // messages
          + "00000000" // checksum, not set
          + "00000000000f4240" // time
          + "00000000" // bytes of the body
          + "0000000000000007" // client
          + "0000000000000003"; // sequence

  @Test
  void aBatchOfTheFirstVersionOfAnApplicationIsWhatItWas() {
    ByteBuffer batch = ByteBuffer.allocate(60);
    Batch.begin(batch, 0, 1, 2, 5, 1_000_000);
    Batch.add(batch, 0, 7, 3, 0);
    assertThat(HexFormat.of().formatHex(batch.array())).isEqualTo(BATCH);
    assertThat(Batch.version(batch, 0)).isEqualTo(1);
  }

  @Test
  void aBatchKeepsTheVersionOfItsApplicationAlsoWithARejectedMessage() {
    ByteBuffer batch = ByteBuffer.allocate(60);
    Batch.begin(batch, 0, 70_000, 2, 5, 1_000_000);
    Batch.add(batch, 0, 7, 3, 0);
    Batch.markRejected(batch, 0, 0);
    Batch.seal(batch, 0, new CRC32C());
    assertThat(Batch.version(batch, 0)).isEqualTo(70_000);
    assertThat(Batch.isIntact(batch, 0, 60, new CRC32C())).isTrue();
    assertThat(batch.getInt(0)).as("refused by who knows formats 1 and 2").isGreaterThan(2);
    batch.putInt(0, Batch.withVersion(3, 1));
    Batch.seal(batch, 0, new CRC32C());
    assertThat(Batch.isIntact(batch, 0, 60, new CRC32C())).as("format 3").isFalse();
  }

  @Test
  void whatIsTwoVersionsAwayIsRefusedWithBothVersions() {
    GroupAgreement old = GroupAgreement.parse(BEFORE.text().replace("protocol=3", "protocol=2"));
    assertThat(HERE.difference(old, "a", "b")).isEqualTo("there protocol is 2 to 2, here 3 to 4");
    GroupAgreement next =
        GroupAgreement.parse(
            HERE.text()
                .replace("newest protocol=4", "newest protocol=5")
                .replace("protocol=3; ", "protocol=4; "));
    assertThat(HERE.difference(next, "a", "b")).isNull();
    GroupAgreement later =
        GroupAgreement.parse(
            HERE.text()
                .replace("newest protocol=4", "newest protocol=6")
                .replace("protocol=3; ", "protocol=5; "));
    assertThat(HERE.difference(later, "a", "b")).contains("5 to 6");
  }

  @Test
  void aGroupWhoseMembersChangedRefusesTheVersionBefore() {
    assertThat(HERE.with(CHANGED).difference(BEFORE, "a", "b"))
        .isEqualTo(
            "the members of the group have changed, which protocol 3 there does not know:"
                + " upgrade it first");
  }

  @Test
  void membersThatKnowOtherMembersAreConnectedIfBothHaveTheirPlaces() {
    GroupAgreement changed = HERE.with(CHANGED);
    assertThat(changed.difference(HERE, "a", "b")).isNull();
    assertThat(HERE.difference(changed, "a", "b")).isNull();
    assertThat(HERE.difference(changed, "a", "c"))
        .isEqualTo("c is not a member here: the members here are a,b, there a,b,c");
    assertThat(changed.difference(HERE, "c", "a")).contains("c is not a member there");
    GroupAgreement moved =
        GroupAgreement.of(new GroupOptions().setMembers(List.of("b", "a")), "test");
    assertThat(changed.difference(moved, "a", "b")).contains("a has another place");
  }
}
