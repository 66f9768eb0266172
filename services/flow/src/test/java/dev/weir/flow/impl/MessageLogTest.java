package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;

class MessageLogTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @TempDir private Path directory;

  /** What was in the MDC while a line was logged, with the line. */
  private static final class Fields extends Handler {
    private final AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    private volatile String line;

    @Override
    public void publish(LogRecord entry) {
      line = entry.getMessage();
      seen.set(MDC.getCopyOfContextMap());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void aFailedHandlerIsLoggedWithTheMessageAndItsTrace() {
    Fields fields = new Fields();
    Logger log = Logger.getLogger(MessageLog.class.getName());
    log.addHandler(fields);
    Vertx vertx = Vertx.vertx();
    try {
      Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
      Futures.result(
          "serving",
          weir.serve(
              "orders",
              new ServiceOptions().setMaxAttempts(1),
              message -> Future.failedFuture("no stock")));
      String id =
          Futures.result(
              "sending",
              weir.send(
                  "orders",
                  "order",
                  Durability.PROCESS,
                  new DeliveryOptions().addHeader("traceparent", "00-" + TRACE + "-00f067aa-01"),
                  MessageOptions.NONE));
      Await.until("it is logged", () -> fields.seen.get() != null);
      assertThat(fields.seen.get())
          .containsOnly(
              Map.entry("address", "orders"),
              Map.entry("message_id", id),
              Map.entry("trace_id", TRACE));
      assertThat(fields.line).isEqualTo("service orders: handler failed, message " + id);
    } finally {
      log.removeHandler(fields);
      Futures.result("Vert.x closes", vertx.close());
    }
  }

  @Test
  void whatWasInTheMdcBeforeIsThereAgain() {
    MDC.put("address", "of a customer");
    try {
      MessageLog.undecoded("orders", MultiMap.caseInsensitiveMultiMap(), new Exception("no"));
      assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("address", "of a customer"));
    } finally {
      MDC.clear();
    }
  }

  @Test
  void aTraceIsReadAsW3cAndZipkinWriteIt() {
    assertThat(traceId("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")).isEqualTo(TRACE);
    assertThat(traceId("b3", TRACE + "-e457b5a2e4d86bd1-1")).isEqualTo(TRACE);
    assertThat(traceId("X-B3-TraceId", TRACE)).isEqualTo(TRACE);
    assertThat(traceId("traceparent", "nonsense")).isNull();
    assertThat(traceId("other", "x")).isNull();
  }

  private static String traceId(String name, String value) {
    return MessageLog.traceId(MultiMap.caseInsensitiveMultiMap().add(name, value));
  }
}
