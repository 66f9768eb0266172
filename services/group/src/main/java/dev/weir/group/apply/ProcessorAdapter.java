package dev.weir.group.apply;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import dev.weir.flow.FlowFailure;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.group.placement.StableHash;
import dev.weir.group.wire.GroupReply;
import dev.weir.group.wire.GroupRequest;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/**
 * Has a user's processor handle the messages of a group. A message whose id is remembered is
 * answered with the reply that it got, and not handled.
 */
public final class ProcessorAdapter implements StateReplicatedProcessor {
  private final GroupProcessor<Object> processor;
  private final RememberedIds ids;

  /**
   * @param maxIds how many ids are remembered; 0 for none
   */
  @SuppressWarnings("unchecked")
  public <M> ProcessorAdapter(GroupProcessor<M> processor, int maxIds) {
    this.processor = (GroupProcessor<Object>) (GroupProcessor<?>) processor;
    this.ids = new RememberedIds(maxIds);
  }

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    if (message.length() == 0) {
      // Its sender gave up waiting before the group took it.
      return;
    }
    byte[] bytes = new byte[message.length()];
    message.buffer().get(message.offset(), bytes);
    byte[] reply;
    try {
      GroupRequest request = decode(bytes);
      reply = handle(request, message.timestampMs(), new ChangeSet(state));
    } catch (RefusedException e) {
      reply = GroupReply.refusal(e.code(), String.valueOf(e.getMessage())).getBytes();
    }
    out.claim(reply.length).put(out.offset(), reply);
    out.commit(reply.length);
  }

  /**
   * The reply to a request that reads.
   *
   * @param state refuses changes
   */
  public Buffer read(Buffer bytes, State state) {
    try {
      GroupRequest request = decode(bytes.getBytes());
      GroupMessage<Object> message =
          new GroupMessage<>(
              request.body(), request.id(), request.key(), System.currentTimeMillis());
      ChangeSet changes = ChangeSet.readOnly(state);
      return GroupReply.encode(processor.read(message, tables(changes)));
    } catch (RefusedException e) {
      return GroupReply.refusal(e.code(), String.valueOf(e.getMessage()));
    }
  }

  private static GroupRequest decode(byte[] bytes) {
    try {
      return GroupRequest.decode(Buffer.buffer(bytes));
    } catch (RuntimeException e) {
      throw new RefusedException(FlowFailure.BAD_REQUEST.code(), "not a request: " + e);
    }
  }

  private byte[] handle(GroupRequest request, long timestampMs, ChangeSet changes) {
    String id = request.id();
    long content = id == null ? 0 : StableHash.of(request.content().getBytes());
    ByteBuffer known = id == null ? null : ids.find(changes, id);
    if (known != null) {
      return repeat(id, content, known);
    }
    GroupMessage<Object> message =
        new GroupMessage<>(request.body(), id, request.key(), timestampMs);
    byte[] reply = GroupReply.encode(processor.handle(message, tables(changes))).getBytes();
    if (id != null) {
      ids.add(changes, id, content, reply);
    }
    changes.apply();
    return reply;
  }

  private static byte[] repeat(String id, long content, ByteBuffer known) {
    if (known.getLong() != content) {
      throw new RefusedException(
          FlowFailure.ID_REUSED.code(), "the id " + id + " was sent with another body before");
    }
    byte[] reply = new byte[known.remaining()];
    known.get(reply);
    return reply;
  }

  private static GroupState tables(ChangeSet changes) {
    return new GroupState() {
      @Override
      public <V> Table<V> table(String name, Serde<V> serde) {
        return new StoredTable<>(changes, name, serde);
      }
    };
  }
}
