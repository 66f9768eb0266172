package dev.weir.gateway;

import io.vertx.core.Context;
import io.vertx.core.spi.context.storage.ContextLocal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** A tracer that keeps its spans, and carries them by a header as tracers of W3C do. */
final class RecordingTracer implements VertxTracer<RecordingTracer.Span, RecordingTracer.Span> {
  static final String HEADER = "traceparent";

  private static final ContextLocal<Span> ACTIVE = ContextLocal.registerLocal(Span.class);

  /** From its start on; {@code parent} is 0 for a root. */
  static final class Span {
    final int trace;
    final int id;
    final int parent;
    final String name;
    final Map<String, String> tags = new ConcurrentHashMap<>();
    final Queue<String> ends = new ConcurrentLinkedQueue<>();

    private Span(int trace, int id, int parent, String name) {
      this.trace = trace;
      this.id = id;
      this.parent = parent;
      this.name = name;
    }

    @Override
    public String toString() {
      return trace + ":" + parent + "->" + id + " " + name + " " + new HashMap<>(tags) + ends;
    }
  }

  private final Queue<Span> spans = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ids = new AtomicInteger();

  private <R> Span start(int trace, int parent, String name, R of, TagExtractor<R> tags) {
    int id = ids.incrementAndGet();
    Span span = new Span(trace == 0 ? id : trace, id, parent, name);
    tags.extractTo(of, span.tags::put);
    spans.add(span);
    return span;
  }

  private static <R> void end(Span span, R of, Throwable failure, TagExtractor<R> tags) {
    if (of != null) {
      tags.extractTo(of, span.tags::put);
    }
    span.ends.add(failure == null ? "ok" : failure.toString());
  }

  /** All spans, in the order of their starts. */
  List<Span> spans() {
    return List.copyOf(spans);
  }

  @Override
  public <R> Span receiveRequest(
      Context context,
      SpanKind kind,
      TracingPolicy policy,
      R request,
      String operation,
      Iterable<Map.Entry<String, String>> headers,
      TagExtractor<R> tags) {
    String[] from = null;
    for (Map.Entry<String, String> header : headers) {
      from = header.getKey().equalsIgnoreCase(HEADER) ? header.getValue().split("-") : from;
    }
    if (policy == TracingPolicy.IGNORE || from == null && policy == TracingPolicy.PROPAGATE) {
      return null;
    }
    int trace = from == null ? 0 : Integer.parseInt(from[0]);
    int parent = from == null ? 0 : Integer.parseInt(from[1]);
    Span span = start(trace, parent, operation, request, tags);
    ACTIVE.put(context, span);
    return span;
  }

  @Override
  public <R> void sendResponse(
      Context context, R response, Span span, Throwable failure, TagExtractor<R> tags) {
    if (span != null) {
      end(span, response, failure, tags);
    }
  }

  @Override
  public <R> Span sendRequest(
      Context context,
      SpanKind kind,
      TracingPolicy policy,
      R request,
      String operation,
      BiConsumer<String, String> headers,
      TagExtractor<R> tags) {
    Span active = ACTIVE.get(context);
    if (policy == TracingPolicy.IGNORE || active == null && policy == TracingPolicy.PROPAGATE) {
      return null;
    }
    int trace = active == null ? 0 : active.trace;
    Span span = start(trace, active == null ? 0 : active.id, operation, request, tags);
    headers.accept(HEADER, span.trace + "-" + span.id);
    return span;
  }

  @Override
  public <R> void receiveResponse(
      Context context, R response, Span span, Throwable failure, TagExtractor<R> tags) {
    if (span != null) {
      end(span, response, failure, tags);
    }
  }
}
