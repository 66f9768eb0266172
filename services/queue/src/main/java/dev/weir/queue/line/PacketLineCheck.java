package dev.weir.queue.line;

/**
 * Counts the packets of a {@link PacketLine} anew, to find a figure that has drifted; for tests.
 */
final class PacketLineCheck {
  private long bytes;
  private long alive;
  private long lastSequence = -1;

  /**
   * Checks all packets of a queue.
   *
   * @param current the packet being delivered, or null
   * @throws IllegalStateException if a figure has drifted
   */
  <T> void run(
      Packet<T> current, ReadAhead<T> onDisk, UnwrittenPackets<T> unwritten, PacketTotals totals) {
    if (current != null) {
      add(current);
    }
    long beforeHead = bytes;
    onDisk.head().forEach(this::add);
    expect("headBytes", onDisk.headBytes(), bytes - beforeHead);
    add(onDisk.disk);
    long[] unwrittenBytes = {-bytes};
    unwritten.forEach(this::add);
    unwrittenBytes[0] += bytes;
    unwritten.forEachReturned(packet -> unwrittenBytes[0] += packet.bytes);
    expect("unwritten bytes", unwritten.bytes, unwrittenBytes[0]);
    long[] messages = {0};
    onDisk.head().forEach(packet -> messages[0] += packet.count);
    expect("messages of the head", onDisk.headMessages(), messages[0]);
    messages[0] = 0;
    unwritten.forEach(packet -> messages[0] += packet.count);
    unwritten.forEachReturned(packet -> messages[0] += packet.count);
    expect("unwritten messages", unwritten.messages, messages[0]);
    expect("waiting", totals.waiting, alive);
    if (totals.unacknowledged < 0 || totals.bytes < bytes) {
      throw new IllegalStateException(
          "bytes " + totals.bytes + ", counted " + bytes + ", " + totals.unacknowledged);
    }
  }

  private void add(Packet<?> packet) {
    if (packet.firstSequence <= lastSequence) {
      throw new IllegalStateException("packet " + packet.firstSequence + " is out of order");
    }
    lastSequence = packet.firstSequence + packet.count - 1;
    bytes += packet.state().isDone() ? 0 : packet.bytes;
    for (int i = packet.next; i < packet.count; i++) {
      alive += packet.isSettled(i) ? 0 : 1;
    }
  }

  private void add(DiskRegion disk) {
    if (disk.drift() != null) {
      throw new IllegalStateException(disk.drift());
    }
    if (!disk.isEmpty()) {
      lastSequence = disk.endSequence() - 1;
    }
    bytes += disk.bytes;
    alive += disk.alive - disk.deleted.size();
  }

  private static void expect(String what, long actual, long counted) {
    if (actual != counted) {
      throw new IllegalStateException(what + " is " + actual + ", counted " + counted);
    }
  }
}
