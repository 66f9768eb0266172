package dev.weir.group.apply;

import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import dev.weir.flow.FlowFailure;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.Outbox;
import dev.weir.group.RefusedException;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.group.Timers;
import dev.weir.group.UndeliveredMessage;
import dev.weir.group.placement.ShardPlan;
import dev.weir.group.placement.StableHash;
import dev.weir.group.trace.GroupTracing;
import dev.weir.group.wire.GroupCommand;
import dev.weir.group.wire.GroupReply;
import dev.weir.group.wire.GroupRequest;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a user's processor handle the messages of a group. A message whose id is remembered is
 * answered with the reply that it got, and not handled.
 */
public final class ProcessorAdapter implements StateReplicatedProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessorAdapter.class);

  private final GroupProcessor<Object> processor;
  private final RememberedIds ids;
  private final String group;

  /** Null without a tracer. */
  private final GroupTracing tracing;

  /** Null if the state has no plan. */
  private final StoredPlan plan;

  /** The version of the application in which the message at hand is handled. */
  private int writeVersion = 1;

  private volatile Runnable wake = () -> {};

  /**
   * @param maxIds how many ids are remembered; 0 for none
   * @param group whose messages these are
   * @param tracing null without a tracer
   */
  public <M> ProcessorAdapter(
      GroupProcessor<M> processor, int maxIds, String group, GroupTracing tracing) {
    this(processor, maxIds, new IdRoom(Long.MAX_VALUE), group, tracing, null);
  }

  /**
   * @param room the heap for these ids and for those of the other replicas of the member
   * @param plan where the replicas of the service are to be, a part of this state; null if the
   *     state has no plan
   */
  @SuppressWarnings("unchecked")
  public <M> ProcessorAdapter(
      GroupProcessor<M> processor,
      int maxIds,
      IdRoom room,
      String group,
      GroupTracing tracing,
      StoredPlan plan) {
    this.processor = (GroupProcessor<Object>) (GroupProcessor<?>) processor;
    this.ids = new RememberedIds(maxIds, room, group);
    this.group = group;
    this.tracing = tracing;
    this.plan = plan;
  }

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    if (message.length() == 0) {
      // Its sender gave up waiting before the group took it.
      return;
    }
    writeVersion = message.version();
    byte[] bytes = new byte[message.length()];
    message.buffer().get(message.offset(), bytes);
    if (GroupCommand.is(bytes)) {
      GroupCommand command = GroupCommand.decode(bytes);
      if (command.plan() == null) {
        command(command, message.timestampMs(), state);
      } else {
        reply(change(command.plan(), state), out);
      }
      return;
    }
    byte[] reply;
    try {
      GroupRequest request = decode(bytes);
      reply = handle(request, message.timestampMs(), new ChangeSet(state));
    } catch (RefusedException e) {
      reply = GroupReply.refusal(e.code(), String.valueOf(e.getMessage())).getBytes();
    }
    reply(reply, out);
  }

  private static void reply(byte[] reply, Outbound out) {
    out.claim(reply.length).put(out.offset(), reply);
    out.commit(reply.length);
  }

  private byte[] change(JsonObject change, State state) {
    ChangeSet changes = new ChangeSet(state);
    try {
      if (plan == null) {
        throw new IllegalArgumentException("the members of this service cannot be changed");
      }
      plan.change(changes, change);
    } catch (IllegalArgumentException e) {
      return GroupReply.refusal(FlowFailure.BAD_REQUEST.code(), e.getMessage()).getBytes();
    }
    changes.apply();
    return GroupReply.encode(new JsonObject()).getBytes();
  }

  /**
   * Where the replicas of the service are to be.
   *
   * @throws NullPointerException if the state has no plan
   */
  public ShardPlan plan(State state) {
    return plan.read(ChangeSet.readOnly(state));
  }

  @Override
  public int version() {
    return processor.version();
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
      return GroupReply.encode(
          processor.read(message, tables(changes, version(), GroupTracing.Outgoing.NONE)));
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
    byte[] reply =
        tracing == null || request.trace().isEmpty()
            ? reply(message, changes, GroupTracing.Outgoing.NONE)
            : tracing.process(
                group, id, request.trace(), outgoing -> reply(message, changes, outgoing));
    if (id != null) {
      ids.add(changes, id, content, reply);
    }
    apply(changes);
    return reply;
  }

  private byte[] reply(
      GroupMessage<Object> message, ChangeSet changes, GroupTracing.Outgoing outgoing) {
    return GroupReply.encode(processor.handle(message, tables(changes, writeVersion, outgoing)))
        .getBytes();
  }

  private void apply(ChangeSet changes) {
    changes.apply();
    if (changes.wakes()) {
      wake();
    }
  }

  private void command(GroupCommand command, long nowMs, State state) {
    if (command.timer() != null) {
      fire(command.timer(), command.due(), nowMs, state);
      return;
    }
    ChangeSet changes = new ChangeSet(state);
    StoredOutbox outbox = new StoredOutbox(changes, GroupTracing.Outgoing.NONE);
    command.sent().forEach(outbox::remove);
    OutgoingMessage refused = command.undelivered() < 0 ? null : outbox.find(command.undelivered());
    if (refused != null) {
      outbox.remove(refused.number());
      LOG.warn(
          "a message to {} with id {} is refused: {}, {}",
          refused.address(),
          refused.id(),
          command.code(),
          command.reason());
    }
    apply(changes);
    if (refused != null) {
      undelivered(refused, command, new ChangeSet(state));
    }
  }

  private void undelivered(OutgoingMessage message, GroupCommand command, ChangeSet changes) {
    try {
      processor.onUndelivered(
          new UndeliveredMessage(
              message.id(),
              message.address(),
              message.key(),
              message.body(),
              command.code(),
              command.reason()),
          tables(changes));
      changes.check();
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("the handler of a message that was refused failed", e);
      return;
    }
    apply(changes);
  }

  private void fire(String timerName, long dueMs, long nowMs, State state) {
    ChangeSet changes = new ChangeSet(state);
    StoredTimers timers = new StoredTimers(changes);
    String name = timerName.isEmpty() ? timers.firstName() : timerName;
    GroupTimer timer = timers.find(name, dueMs, nowMs);
    if (timer == null) {
      // It has fired, was cancelled or set for another time.
      return;
    }
    timers.cancel(name);
    try {
      processor.onTimer(timer, tables(changes));
      changes.check();
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("the handler of timer {} failed, so the timer is set again", name, e);
      setAgain(timer, state);
      return;
    }
    apply(changes);
  }

  private void setAgain(GroupTimer timer, State state) {
    ChangeSet changes = new ChangeSet(state);
    new StoredTimers(changes).retry(timer);
    if (changes.room() < 0) {
      // The group allowed larger messages when the timer was set.
      changes = new ChangeSet(state);
      new StoredTimers(changes).retryLast(timer);
    }
    apply(changes);
  }

  /**
   * What there is to do for the primary.
   *
   * @param from number of the first message to be sent
   * @param most how many messages at most
   */
  public PrimaryWork work(State state, long from, int most) {
    ChangeSet changes = ChangeSet.readOnly(state);
    StoredTimers.Due due = new StoredTimers(changes).first();
    return new PrimaryWork(
        due == null ? null : due.name(),
        due == null ? 0 : due.dueMs(),
        new StoredOutbox(changes, GroupTracing.Outgoing.NONE).from(from, most));
  }

  /**
   * Sets who is told that {@link #work} may have changed.
   *
   * @param listener called under the group's lock: it must not block
   */
  public void onWork(Runnable listener) {
    wake = listener;
  }

  /** There may be something to do for the primary: a message, or this member has the role. */
  public void wake() {
    wake.run();
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

  /** For what is done without a message. */
  private GroupState tables(ChangeSet changes) {
    return tables(changes, writeVersion, GroupTracing.Outgoing.NONE);
  }

  private static GroupState tables(ChangeSet changes, int version, GroupTracing.Outgoing outgoing) {
    return new GroupState() {
      @Override
      public int version() {
        return version;
      }

      @Override
      public int room() {
        return changes.room();
      }

      @Override
      public <V> Table<V> table(String name, Serde<V> serde) {
        return new StoredTable<>(changes, name, serde);
      }

      @Override
      public Timers timers() {
        return new StoredTimers(changes);
      }

      @Override
      public Outbox outbox() {
        return new StoredOutbox(changes, outgoing);
      }
    };
  }
}
