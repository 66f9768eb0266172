package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.vertx.BusMessages;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The span that Vert.x starts for the receiver of a request whose message is not kept. */
class UnreadSpanTest {
  private final List<Object> ended = new CopyOnWriteArrayList<>();

  /** Starts one span for each request that comes. */
  private final VertxTracer<Object, Object> tracer =
      new VertxTracer<>() {
        @Override
        public <R> Object receiveRequest(
            Context context,
            SpanKind kind,
            TracingPolicy policy,
            R request,
            String operation,
            Iterable<Map.Entry<String, String>> headers,
            TagExtractor<R> tags) {
          return "span of " + ((Message<?>) request).address();
        }

        @Override
        public <R> void sendResponse(
            Context context, R response, Object span, Throwable failure, TagExtractor<R> tags) {
          ended.add(span);
        }
      };

  private final Vertx vertx =
      Vertx.builder()
          .with(new VertxOptions().setTracingOptions(new TracingOptions()))
          .withTracer(options -> tracer)
          .build();

  @AfterEach
  void close() {
    Futures.result("Vert.x closes", vertx.close());
  }

  /** Replies without the message. */
  private Object ask(Optional<Field> receiverSpan) {
    Tracing tracing = new Tracing(tracer, receiverSpan);
    vertx
        .eventBus()
        .consumer(
            "service",
            message -> Requester.light(vertx.eventBus(), message, tracing).reply("answer", null));
    return Futures.<Message<Object>>result("reply", vertx.eventBus().request("service", "?"))
        .body();
  }

  @Test
  void itEndsWithTheReply() {
    assertThat(ask(BusMessages.receiverSpan())).isEqualTo("answer");
    assertThat(ended).containsExactly("span of service");
  }

  @Test
  void whereItCannotBeReadTheReplyGoesItsWayAndTheSpanDoesNotEnd() {
    try (LoggedLines log = LoggedLines.of(Tracing.class.getName(), Level.INFO)) {
      assertThat(ask(Optional.empty())).isEqualTo("answer");
      assertThat(log.lines())
          .containsExactly("the span of a request that waits on disk is not ended");
    }
    assertThat(ended).isEmpty();
  }
}
