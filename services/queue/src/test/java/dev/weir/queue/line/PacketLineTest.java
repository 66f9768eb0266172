package dev.weir.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.ByteBudget;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.line.QueueLimits.PacketLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class PacketLineTest {

  @Test
  void packetsThatShouldBeOnDiskAndAreNotAreCountedAsLost() {
    PacketLine<String> line = line(50, 0, Long.MAX_VALUE);
    for (int i = 0; i < 6; i++) {
      line.append("0123456789", 10, null, (byte) 0, i);
    }
    List<Packet<String>> written = write(line);
    assertThat(poll(line).message()).isEqualTo("0123456789");

    DiskRegion.Load load = line.beginLoad();
    assertThat(load.packets()).isGreaterThan(1);
    line.endLoad(load, List.of(), true);

    line.check();
    assertThat(line.waiting()).isEqualTo(written.get(0).count - 1);
    assertThat(line.totals().lost).isEqualTo(6 - written.get(0).count);
    assertThat(line.takeLosses())
        .hasSize((int) line.totals().lost)
        .allMatch(lost -> lost.reason() == Reason.STORE_FAILED);
    assertThat(line.wantsLoad()).isFalse();
  }

  @Test
  void aPacketThatIsMissingCostsNoMessageOfThePacketsBehindIt() {
    PacketLine<String> line = line(50, 0, Long.MAX_VALUE);
    for (int i = 0; i < 6; i++) {
      line.append("0123456789", 10, null, (byte) 0, i);
    }
    Packet<String> behind = write(line).get(2);
    while (line.pollable()) {
      poll(line);
    }
    DiskRegion.Load load = line.beginLoad();
    Packet<String> read =
        new Packet<>(
            behind.key,
            new Object[] {"0123456789", "0123456789"},
            new byte[behind.count],
            new byte[behind.count]);
    line.endLoad(load, List.of(new PacketLine.Loaded<>(behind.key, behind.count, read)), false);

    assertThat(line.takeLosses())
        .containsExactly(
            new PacketLine.Lost(2, Reason.STORE_FAILED),
            new PacketLine.Lost(3, Reason.STORE_FAILED));
    assertThat(poll(line).attachment()).isEqualTo(4);
    line.check();
  }

  @Test
  void packetsThatARebuiltLogBringsBackAreDeliveredToo() {
    PacketLine<String> line = line(50, 1000, Long.MAX_VALUE);
    QueueRecovery found = new QueueRecovery(100, Map.of());
    assertThat(found.add(key(0))).isTrue();
    assertThat(found.add(key(8))).isTrue();
    line.recover(found);

    for (int first = 0; first < 10; first += 2) {
      assertThat(line.wantsLoad()).as("packet %s is to be read", first).isTrue();
      line.endLoad(line.beginLoad(), List.of(loaded(first)), first == 8);
      assertThat(poll(line).sequence()).isEqualTo(first);
      assertThat(poll(line).sequence()).isEqualTo(first + 1);
    }

    assertThat(line.wantsLoad()).isFalse();
    line.check();
    assertThat(line.waiting()).isZero();
    assertThat(line.totals().lost).isZero();
    line.append("next", 4, null, (byte) 0, null);
    assertThat(poll(line).message()).isEqualTo("next");
  }

  @Test
  void readsMoreAheadWhileTheHeapHasRoom() {
    AtomicBoolean scarce = new AtomicBoolean();
    PacketLimits limits =
        new PacketLimits(
            50, 50, 100, 1000, Long.MAX_VALUE, false, Long.MAX_VALUE, 0, 0, scarce::get);
    PacketLine<String> line = new PacketLine<>(limits, new IdWindow(0, 0, new ByteBudget(0)));
    QueueRecovery found = new QueueRecovery(1000, Map.of());
    for (int first = 0; first < 60; first += 2) {
      assertThat(found.add(key(first))).isTrue();
    }
    line.recover(found);

    assertThat(line.beginLoad().mostBytes()).isEqualTo(1000);
    line.failLoad();
    scarce.set(true);
    DiskRegion.Load load = line.beginLoad();
    assertThat(load.mostBytes()).isEqualTo(100);

    line.endLoad(load, List.of(loaded(0), loaded(2)), false);
    assertThat(line.wantsLoad()).isFalse();
    scarce.set(false);
    assertThat(line.wantsLoad()).isTrue();
  }

  @Test
  void packetsAreTakenForWritingWhileOthersAreWritten() {
    PacketLine<String> line = line(1000, 1000, Long.MAX_VALUE);
    line.append("first", 5, null, (byte) 0, null);
    List<Packet<String>> first = line.beginWrite(Long.MAX_VALUE);
    assertThat(line.wantsWrite()).isFalse();
    assertThat(line.beginWrite(Long.MAX_VALUE)).isEmpty();

    line.append("second", 6, null, (byte) 0, null);
    assertThat(line.wantsWrite()).isTrue();
    assertThat(line.hasFullPacket()).isFalse();
    List<Packet<String>> second = line.beginWrite(Long.MAX_VALUE);
    assertThat(second).hasSize(1).doesNotContainAnyElementsOf(first);

    line.endWrite(named(first));
    line.endWrite(named(second));
    line.check();
    assertThat(line.hasUnwritten()).isFalse();
    assertThat(poll(line).message()).isEqualTo("first");
    assertThat(poll(line).message()).isEqualTo("second");
  }

  @Test
  void packetsWhoseWritesFailAreTakenAgainInOrder() {
    PacketLine<String> line = line(1000, 1000, Long.MAX_VALUE);
    line.append("first", 5, null, (byte) 0, null);
    List<Packet<String>> first = line.beginWrite(Long.MAX_VALUE);
    line.append("second", 6, null, (byte) 0, null);
    List<Packet<String>> second = line.beginWrite(Long.MAX_VALUE);
    line.abortWrite(first);
    line.abortWrite(second);

    assertThat(line.wantsWrite()).isTrue();
    assertThat(line.beginWrite(Long.MAX_VALUE)).containsExactly(first.get(0), second.get(0));
  }

  @Test
  void aPacketOfFewMessagesIsLargerThanOneOfMany() {
    PacketLimits limits =
        new PacketLimits(
            1000, 4000, 0, 0, Long.MAX_VALUE, false, Long.MAX_VALUE, 0, 0, () -> false);
    assertThat(packetOf(limits, 10).count).isEqualTo(61);
    assertThat(packetOf(limits, 50).bytes).isBetween(1300, 1400);
    assertThat(packetOf(limits, 50).count).isEqualTo(24);
    assertThat(packetOf(limits, 500).bytes).isBetween(4000, 4500);
    assertThat(packetOf(limits, 5000).count).isEqualTo(1);
  }

  /** The first packet of many messages of one size. */
  private static Packet<String> packetOf(PacketLimits limits, int messageBytes) {
    PacketLine<String> line = new PacketLine<>(limits, new IdWindow(0, 0, new ByteBudget(0)));
    for (int i = 0; i < 200; i++) {
      line.append("x", messageBytes, null, (byte) 0, null);
    }
    return line.beginWrite(Long.MAX_VALUE).get(0);
  }

  private static PacketKey key(long first) {
    return new PacketKey(first, 2, 2, 2, 60);
  }

  private static PacketLine.Loaded<String> loaded(long first) {
    Object[] bodies = {"0123456789", "0123456789"};
    Packet<String> packet = new Packet<>(key(first), bodies, new byte[2], new byte[2]);
    return new PacketLine.Loaded<>(key(first), 2, packet);
  }

  @Test
  void aMessageThatNobodyAcknowledgedIsWrittenWhenTheQueueIsClosed() {
    PacketLine<String> line = line(1000, 1000, Long.MAX_VALUE);
    line.append("kept", 4, null, (byte) 0, null);
    line.append("request", 7, null, Packet.TRANSIENT, "requester");
    poll(line);
    line.beginClose();

    List<Packet<String>> written = write(line);

    assertThat(written).hasSize(1);
    assertThat(written.get(0).key.keep()).isEqualTo(1);
    line.endClose();
    assertThat(line.takeLosses()).containsExactly(new PacketLine.Lost("requester", Reason.CLOSED));
  }

  @Test
  void aBudgetFullOfDeliveriesCannotBeDropped() {
    PacketLine<String> line = line(100, 1000, 500);
    while (line.bytes() < 450) {
      line.append("0123456789", 10, null, (byte) 0, null);
    }
    while (poll(line) != null) {
      line.check();
    }
    assertThat(line.makeRoom(100, 1000)).isFalse();
    assertThat(line.totals().dropped).isZero();
  }

  @Test
  void progressOfPacketsThatAreGoneIsFoundAtOpening() {
    var progress = new HashMap<Long, PacketProgress>();
    progress.put(7L, new PacketProgress(1, 0, new byte[] {1}));
    progress.put(8L, new PacketProgress(0, 1, new byte[] {(byte) 0x81, 1}));
    QueueRecovery recovery = new QueueRecovery(100, progress);

    assertThat(recovery.add(new PacketKey(8, 2, 2, 1, 60))).isFalse();

    assertThat(recovery.orphans()).containsExactly(7L);
    assertThat(recovery.transients()).isEqualTo(1);
    assertThat(recovery.bytes()).isZero();
  }

  private static PacketLine<String> line(
      int packetBytes, long readAheadBytes, long dropAboveBytes) {
    PacketLimits limits =
        new PacketLimits(
            packetBytes,
            packetBytes,
            readAheadBytes,
            readAheadBytes,
            dropAboveBytes,
            false,
            Long.MAX_VALUE,
            0,
            0,
            () -> false);
    return new PacketLine<>(limits, new IdWindow(0, 0, new ByteBudget(0)));
  }

  private static TakenMessage<String> poll(PacketLine<String> line) {
    TakenMessage<String> taken = line.take();
    if (taken != null) {
      line.count(taken, taken.deliveryCount() + 1);
      line.totals().unacknowledged++;
    }
    return taken;
  }

  private static List<Packet<String>> write(PacketLine<String> line) {
    List<Packet<String>> batch = named(line.beginWrite(Long.MAX_VALUE));
    line.endWrite(batch);
    return batch;
  }

  /** Gives packets the keys of the records that are written. */
  private static List<Packet<String>> named(List<Packet<String>> batch) {
    for (Packet<String> packet : batch) {
      PacketProgress state = PacketProgress.of(packet);
      packet.writeKey =
          new PacketKey(
              packet.firstSequence,
              packet.count,
              state.keep() + state.transients(),
              state.keep(),
              packet.bytes);
    }
    return batch;
  }
}
