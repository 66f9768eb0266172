package dev.weir.group.trace;

import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The spans of a message that goes to the primary of a group. A member records {@code send} from
 * the message to its reply. The primary records {@code process} while the processor handles the
 * message, and {@code create} for each message to another service. Each continues the trace that
 * the headers of a message name. Without such a trace there is no span. Any thread; not blocking.
 */
public final class GroupTracing {
  private static final TagExtractor<Subject> TAGS = new SubjectTags();

  private final Vertx vertx;
  private final VertxTracer<Object, Object> tracer;

  /** Each message that is handled has a context beside it, which holds its span. */
  private final Context root;

  /** Makes the headers by which a message to an address continues the trace; maybe none. */
  @FunctionalInterface
  public interface Outgoing {
    /** Of a message that is handled without a trace. */
    Outgoing NONE = address -> Map.of();

    Map<String, String> headers(String address);
  }

  private GroupTracing(Vertx vertx, VertxTracer<Object, Object> tracer) {
    this.vertx = vertx;
    this.tracer = tracer;
    this.root = Contexts.newEventLoop(vertx);
  }

  /** Null for a Vert.x without a tracer, which then costs no more than the check for null. */
  public static GroupTracing of(Vertx vertx) {
    VertxTracer<Object, Object> tracer = Contexts.tracer(vertx);
    return tracer == null ? null : new GroupTracing(vertx, tracer);
  }

  /**
   * Records the span of a message to the primary, as a child of the span of the calling context.
   *
   * @param group of the primary
   * @param id of the message; may be null
   * @param send sends the message with the headers that name the trace, which are none without one
   * @return what {@code send} returns
   */
  public <T> Future<T> send(
      String group, String id, Function<Map<String, String>, Future<T>> send) {
    Context context = vertx.getOrCreateContext();
    Map<String, String> headers = new LinkedHashMap<>();
    Object span = start(context, SpanKind.RPC, new Subject("send", group, id), headers);
    Future<T> reply = send.apply(headers);
    return span == null ? reply : reply.onComplete(done -> end(context, span, done.cause()));
  }

  /**
   * Records the span of a message that is handled; what the handler starts on the current context
   * of Vert.x belongs to this span.
   *
   * @param group of this primary
   * @param id of the message; may be null
   * @param headers those that came with the message
   * @param handler gets what makes the headers of its own messages
   * @return what {@code handler} returns
   */
  public <T> T process(
      String group, String id, Map<String, String> headers, Function<Outgoing, T> handler) {
    Context context = Contexts.duplicate(root);
    Object span =
        tracer.receiveRequest(
            context,
            SpanKind.RPC,
            TracingPolicy.PROPAGATE,
            new Subject("process", group, id),
            "process",
            headers.entrySet(),
            TAGS);
    if (span == null) {
      return handler.apply(Outgoing.NONE);
    }
    Throwable failure = null;
    try {
      return Contexts.within(context, () -> handler.apply(address -> create(context, address)));
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      tracer.sendResponse(context, null, span, failure, TagExtractor.empty());
    }
  }

  /** The message is sent later, maybe by another member, so its span ends at once. */
  private Map<String, String> create(Context context, String address) {
    Map<String, String> headers = new LinkedHashMap<>();
    Object span = start(context, SpanKind.MESSAGING, new Subject("create", address, null), headers);
    if (span != null) {
      end(context, span, null);
    }
    return headers;
  }

  private Object start(
      Context context, SpanKind kind, Subject subject, Map<String, String> headers) {
    return tracer.sendRequest(
        context, kind, TracingPolicy.PROPAGATE, subject, subject.operation(), headers::put, TAGS);
  }

  private void end(Context context, Object span, Throwable failure) {
    tracer.receiveResponse(context, null, span, failure, TagExtractor.empty());
  }

  /**
   * What a span is about.
   *
   * @param id of the message; null if it has none
   */
  private record Subject(String operation, String destination, String id) {}

  /** By the names that the semantic conventions of OpenTelemetry give them, as of weir-flow. */
  private static final class SubjectTags implements TagExtractor<Subject> {
    private static final String[] NAMES = {
      "messaging.system",
      "messaging.destination.name",
      "messaging.operation.name",
      "messaging.message.id"
    };

    @Override
    public int len(Subject subject) {
      return subject.id() == null ? NAMES.length - 1 : NAMES.length;
    }

    @Override
    public String name(Subject subject, int index) {
      return NAMES[index];
    }

    @Override
    public String value(Subject subject, int index) {
      return switch (index) {
        case 0 -> "weir";
        case 1 -> subject.destination();
        case 2 -> subject.operation();
        default -> subject.id();
      };
    }
  }
}
