package dev.weir.group.apply;

import dev.weir.flow.FlowFailure;
import dev.weir.group.Outbox;
import dev.weir.group.RefusedException;
import dev.weir.group.trace.GroupTracing;
import dev.weir.group.wire.GroupRequest;
import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The messages of a group to other services that are not known to have arrived.
 *
 * <pre>
 * "\1outs"   long number of the oldest, long of the next, long that names this outbox
 * "\1out N"  byte 1 if it is sent durably, then a request with the address in place of its id
 * </pre>
 */
final class StoredOutbox implements Outbox {
  private static final String ENDS = "\1outs";
  private static final String MESSAGE = "\1out ";
  private static final int NEXT_AT = Long.BYTES;
  private static final int NAME_AT = 2 * Long.BYTES;

  private final ChangeSet changes;
  private final GroupTracing.Outgoing trace;

  /**
   * @param trace makes the headers of messages that name their trace
   */
  StoredOutbox(ChangeSet changes, GroupTracing.Outgoing trace) {
    this.changes = changes;
    this.trace = trace;
  }

  @Override
  public void send(String address, String key, Object body) {
    add(true, address, key, body);
  }

  @Override
  public void request(String address, String key, Object body) {
    add(false, address, key, body);
  }

  private void add(boolean durable, String address, String key, Object body) {
    Buffer request = GroupRequest.encode(Checks.notNull("address", address), key, body);
    ByteBuffer ends = ends();
    long next = ends.getLong(NEXT_AT);
    if (next - ends.getLong(0) >= MAX_WAITING) {
      throw new RefusedException(
          FlowFailure.SERVICE_FULL.code(), MAX_WAITING + " messages to other services wait");
    }
    Buffer traced = GroupRequest.withTrace(request, trace.headers(address));
    byte[] value =
        Buffer.buffer().appendByte((byte) (durable ? 1 : 0)).appendBuffer(traced).getBytes();
    changes.put(MESSAGE + next, value);
    changes.put(ENDS, ends.putLong(NEXT_AT, next + 1).array());
    changes.wake();
  }

  private ByteBuffer ends() {
    byte[] ends = changes.get(ENDS);
    return ends != null
        ? ByteBuffer.wrap(ends)
        // Random: an outbox whose files were deleted must not use the ids of the one before.
        : ByteBuffer.allocate(NAME_AT + Long.BYTES)
            .putLong(NAME_AT, ThreadLocalRandom.current().nextLong());
  }

  /**
   * The messages from a number on.
   *
   * @param most how many at most
   */
  List<OutgoingMessage> from(long number, int most) {
    List<OutgoingMessage> messages = new ArrayList<>();
    if (changes.get(ENDS) == null) {
      return messages;
    }
    ByteBuffer ends = ends();
    for (long n = Math.max(number, ends.getLong(0));
        n < ends.getLong(NEXT_AT) && messages.size() < most;
        n++) {
      OutgoingMessage message = find(n);
      if (message != null) {
        messages.add(message);
      }
    }
    return messages;
  }

  /** A message that waits; null if it does not any more. */
  OutgoingMessage find(long number) {
    byte[] value = changes.get(MESSAGE + number);
    if (value == null) {
      return null;
    }
    GroupRequest request = GroupRequest.decode(Buffer.buffer(value).slice(1, value.length));
    String id = "out-" + Long.toHexString(ends().getLong(NAME_AT)) + "-" + number;
    return new OutgoingMessage(
        number, id, value[0] == 1, request.id(), request.key(), request.trace(), request.body());
  }

  void remove(long number) {
    changes.remove(MESSAGE + number);
    ByteBuffer ends = ends();
    long oldest = ends.getLong(0);
    while (oldest < ends.getLong(NEXT_AT) && changes.get(MESSAGE + oldest) == null) {
      oldest++;
    }
    changes.put(ENDS, ends.putLong(0, oldest).array());
  }
}
