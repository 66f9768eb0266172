package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.EventBusMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The span of a request whose reply comes while the thread of a worker still sends. Vert.x then
 * does not end the span of {@code eventBus().request}.
 */
class EarlyReplyTest {
  private static final String ASKED = "asked";

  /** Of each span of a request to the asked service, how often it ended. */
  private final Map<Object, Integer> ends = new ConcurrentHashMap<>();

  private final CountDownLatch replied = new CountDownLatch(1);

  private final VertxTracer<Object, Object> tracer =
      new VertxTracer<>() {
        @Override
        public <R> Object sendRequest(
            Context context,
            SpanKind kind,
            TracingPolicy policy,
            R request,
            String operation,
            BiConsumer<String, String> headers,
            TagExtractor<R> tags) {
          Object span = new Object();
          if (policy == TracingPolicy.IGNORE || !tags.extract(request).containsValue(ASKED)) {
            return null;
          }
          ends.put(span, 0);
          return span;
        }

        @Override
        public <R> void receiveResponse(
            Context context, R response, Object span, Throwable failure, TagExtractor<R> tags) {
          if (span != null) {
            ends.merge(span, 1, Integer::sum);
          }
        }
      };

  /** Holds the sender of a request to the asked service until the reply was handled. */
  private final EventBusMetrics<String> busMetrics =
      new EventBusMetrics<>() {
        @Override
        public String handlerRegistered(String address) {
          return address;
        }

        @Override
        public void handlerUnregistered(String address) {
          // The handler of the reply: the span is looked for right after.
          if (!address.equals(ASKED)) {
            replied.countDown();
          }
        }

        @Override
        public void messageSent(String address, boolean publish, boolean local, boolean remote) {
          if (address.equals(ASKED)) {
            try {
              replied.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        }
      };

  private final VertxMetricsFactory metrics =
      options ->
          new VertxMetrics() {
            @Override
            public EventBusMetrics<?> createEventBusMetrics() {
              return busMetrics;
            }
          };

  private final Vertx vertx =
      Vertx.builder()
          .with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
          .withMetrics(metrics)
          .withTracer(options -> tracer)
          .build();

  @AfterEach
  void close() {
    Futures.result("Vert.x closes", vertx.close());
  }

  @Test
  void endsWithTheReply() {
    Weir weir = Weir.create(vertx, new WeirOptions());
    vertx.eventBus().consumer(ASKED, message -> message.reply("there"));
    ServiceOptions onWorkers = new ServiceOptions().setDiskBytes(0).setRunOn(RunOn.WORKER);
    Futures.result(
        "serving",
        weir.serve(
            "asking",
            onWorkers,
            message -> weir.request(ASKED, "?", new DeliveryOptions()).map(Message::body)));
    assertThat(
            Futures.<Message<Object>>result("reply", vertx.eventBus().request("asking", 1)).body())
        .isEqualTo("there");
    assertThat(replied.getCount()).isZero();
    assertThat(ends.values()).containsExactly(1);
  }
}
