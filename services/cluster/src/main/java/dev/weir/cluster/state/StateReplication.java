package dev.weir.cluster.state;

import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.Spool;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Handles messages by state replication: a log entry is the length of a change of state, the
 * change, and the reply.
 */
public final class StateReplication implements Handling {
  /** Room for the changes of one message, in multiples of the largest message. */
  private static final int CHANGES_PER_MESSAGE = 4;

  private final StateReplicatedProcessor processor;
  private final StateTable state;
  private final Sessions sessions;
  private final ReplyRoom reply;
  private final int maxMessageBytes;
  private final int maxChangeBytes;

  /** Null if all objects are in memory. */
  private final StoredObjects stored;

  /**
   * Keeps all objects in memory.
   *
   * @param maxMessageBytes of a message or a reply
   */
  public StateReplication(
      StateReplicatedProcessor processor, Sessions sessions, int maxMessageBytes) {
    this(processor, sessions, maxMessageBytes, null, null);
  }

  /**
   * @param maxMessageBytes of a message or a reply
   * @param stored where the objects are; null to keep all in memory
   * @param heap for those in memory; null if all are there
   */
  public StateReplication(
      StateReplicatedProcessor processor,
      Sessions sessions,
      int maxMessageBytes,
      StoredObjects stored,
      State.Heap heap) {
    this.processor = processor;
    this.sessions = sessions;
    this.reply = new ReplyRoom(sessions);
    this.maxMessageBytes = maxMessageBytes;
    this.maxChangeBytes = CHANGES_PER_MESSAGE * maxMessageBytes;
    this.stored = stored;
    this.state =
        stored == null
            ? new StateTable(maxChangeBytes)
            : new StateTable(maxChangeBytes, stored, heap);
  }

  @Override
  public int accept(Request request, long timeMs, ByteBuffer entry, int at) {
    state.begin();
    reply.begin(request);
    processor.onMessage(request.at(timeMs), state, reply);
    reply.end();
    int changes = state.changeBytes();
    int next = at + Integer.BYTES;
    entry.putInt(at, changes).put(next, state.changes(), 0, changes);
    next += changes;
    sessions.find(request.clientId(), request.sequence());
    entry.put(next, sessions.buffer(), sessions.offset(), sessions.length());
    return next + sessions.length() - at;
  }

  @Override
  public boolean rollBack(Throwable cause) {
    state.rollBack();
    return true;
  }

  @Override
  public int maxEntryBytes() {
    return Integer.BYTES + maxChangeBytes + maxMessageBytes;
  }

  @Override
  public void replay(ByteBuffer batch, int message, long timeMs, int version) {
    int body = Batch.body(message);
    int changes = batch.getInt(body);
    int next = body + Integer.BYTES;
    state.apply(batch, next, changes);
    next += changes;
    long clientId = Batch.clientId(batch, message);
    int bytes = Batch.next(batch, message) - next;
    ByteBuffer room = sessions.claim(clientId, bytes);
    room.put(sessions.claimOffset(), batch, next, bytes);
    sessions.commit(clientId, Batch.sequence(batch, message), bytes);
  }

  @Override
  public int version() {
    return processor.version();
  }

  @Override
  public State readable() {
    return new ReadOnlyState(state);
  }

  @Override
  public boolean isStored() {
    return stored != null;
  }

  @Override
  public Spool arrival(TransactionLog log) {
    return stored == null ? log.spool() : new ObjectArrival(stored.arrive());
  }

  @Override
  public void tick() {
    state.tick();
  }

  @Override
  public StateView view() {
    return state.view();
  }

  @Override
  public void restore(DataInput in) throws IOException {
    state.restore(in);
  }
}
