package dev.weir.queue.line;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A packet that messages leave in one transaction, with the progress that the transaction writes.
 * In memory these messages are settled when the transaction is committed, not before: a write that
 * fails leaves them in their packet.
 *
 * @param <T> the message type
 */
public record PacketLeft<T>(Packet<T> packet, PacketProgress progress) {

  /** The packets with a record on disk, or with one in this transaction, that moves leave. */
  public static <T> List<PacketLeft<T>> of(List<DetachedMove<T>> moves) {
    if (moves.isEmpty()) {
      return List.of();
    }
    Map<Packet<T>, BitSet> leaving = new LinkedHashMap<>();
    for (DetachedMove<T> move : moves) {
      Packet<T> packet = move.delivery.packet();
      if (packet != null && (packet.writeKey != null || packet.isWriting())) {
        leaving.computeIfAbsent(packet, ignored -> new BitSet()).set(move.delivery.index());
      }
    }
    List<PacketLeft<T>> left = new ArrayList<>();
    leaving.forEach(
        (packet, indices) ->
            left.add(new PacketLeft<>(packet, PacketProgress.without(packet, indices))));
    return left;
  }
}
