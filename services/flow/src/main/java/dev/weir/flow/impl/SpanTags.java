package dev.weir.flow.impl;

import io.vertx.core.spi.tracing.TagExtractor;
import java.util.List;
import java.util.function.Function;

/**
 * The tags of a span, by the names that the semantic conventions of OpenTelemetry give them. A tag
 * whose value is null is left out; it is the last one.
 */
final class SpanTags<T> implements TagExtractor<T> {
  private record Tag<T>(String name, Function<T, String> value) {}

  private static final String SYSTEM = "messaging.system";
  private static final String DESTINATION = "messaging.destination.name";
  private static final String OPERATION = "messaging.operation.name";
  private static final String ID = "messaging.message.id";

  /** The system of all spans of this library. */
  private static final String WEIR = "weir";

  /** The system of the spans that Vert.x records of messages. */
  private static final String BUS = "vertx-eventbus";

  /** Of a durable send to an address. */
  static final TagExtractor<String> SEND =
      new SpanTags<>(
          List.of(
              new Tag<>(SYSTEM, address -> WEIR),
              new Tag<>(DESTINATION, address -> address),
              new Tag<>(OPERATION, address -> "send")));

  /** Of a request over the event bus, as Vert.x tags it. */
  static final TagExtractor<String> REQUEST =
      new SpanTags<>(
          List.of(
              new Tag<>(SYSTEM, address -> BUS),
              new Tag<>(DESTINATION, address -> address),
              new Tag<>(OPERATION, address -> "send")));

  /** Of the outcome of a durable send: the id of the message, or null if none was asked for. */
  static final TagExtractor<Object> SENT =
      new SpanTags<>(List.of(new Tag<>(ID, id -> id == null ? null : id.toString())));

  /** Of a message in handling. */
  static final TagExtractor<Work> DELIVERY =
      new SpanTags<>(
          List.of(
              new Tag<>(SYSTEM, work -> WEIR),
              new Tag<>(DESTINATION, Work::address),
              new Tag<>(OPERATION, work -> "process"),
              new Tag<>("weir.delivery_count", work -> Integer.toString(work.deliveryCount())),
              new Tag<>(ID, Work::id)));

  private final List<Tag<T>> tags;

  private SpanTags(List<Tag<T>> tags) {
    this.tags = tags;
  }

  @Override
  public int len(T of) {
    int last = tags.size() - 1;
    return value(of, last) == null ? last : tags.size();
  }

  @Override
  public String name(T of, int index) {
    return tags.get(index).name;
  }

  @Override
  public String value(T of, int index) {
    return tags.get(index).value.apply(of);
  }
}
