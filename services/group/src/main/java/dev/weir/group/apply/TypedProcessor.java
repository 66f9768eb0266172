package dev.weir.group.apply;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.JsonMapping;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.RefusedException;
import dev.weir.group.UndeliveredMessage;
import dev.weir.group.wire.Bodies;

/** Gives a processor bodies of its class, mapped from JSON, and maps its replies to JSON. */
public final class TypedProcessor<M> implements GroupProcessor<Object> {
  private final JsonMapping<M> mapping;
  private final GroupProcessor<M> processor;

  public TypedProcessor(Class<M> type, GroupProcessor<M> processor) {
    this.mapping = JsonMapping.to(type);
    this.processor = processor;
  }

  @Override
  public Object handle(GroupMessage<Object> message, GroupState state) {
    return reply(processor.handle(typed(message), state));
  }

  @Override
  public Object read(GroupMessage<Object> message, GroupState state) {
    return reply(processor.read(typed(message), state));
  }

  @Override
  public void onTimer(GroupTimer timer, GroupState state) {
    processor.onTimer(timer, state);
  }

  @Override
  public void onUndelivered(UndeliveredMessage message, GroupState state) {
    processor.onUndelivered(message, state);
  }

  @Override
  public int version() {
    return processor.version();
  }

  private GroupMessage<M> typed(GroupMessage<Object> message) {
    M body;
    try {
      body = mapping.read(message.body());
    } catch (IllegalArgumentException e) {
      throw new RefusedException(FlowFailure.BAD_REQUEST.code(), e.getMessage());
    }
    return new GroupMessage<>(body, message.id(), message.key(), message.timestampMs());
  }

  private static Object reply(Object reply) {
    return Bodies.hasType(reply) ? reply : JsonMapping.write(reply);
  }
}
