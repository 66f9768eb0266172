package dev.weir.flow.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import dev.weir.testing.MissingClasses;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PendingRepliesTest {
  private static final String BUS = "io.vertx.core.eventbus.impl.";
  private static final long PATIENCE_MS = 600_000;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Message<Object>> request = new AtomicReference<>();

  /** What is known of an address: whether it is gone, and for how long it waits yet. */
  static final class Know implements BiFunction<Vertx, String, List<Object>> {
    @Override
    public List<Object> apply(Vertx vertx, String address) {
      PendingReplies pending = new PendingReplies(vertx);
      return List.of(pending.isGone(address), pending.remainingNs(address));
    }
  }

  @BeforeEach
  void ask() {
    vertx.eventBus().consumer("service", request::set);
    vertx.eventBus().request("service", "?", new DeliveryOptions().setSendTimeout(PATIENCE_MS));
    Await.until("the request comes", () -> request.get() != null);
  }

  @AfterEach
  void close() {
    Futures.result("Vert.x closes", vertx.close());
  }

  private List<Object> known(String missing, String address) {
    MissingClasses loader =
        new MissingClasses(List.of("dev.weir.flow.vertx."), List.of(BUS + missing));
    BiFunction<Vertx, String, List<Object>> know = loader.make(Know.class);
    return know.apply(vertx, address);
  }

  @Test
  void howLongARequesterWaitsYetIsKnown() {
    PendingReplies pending = new PendingReplies(vertx);
    String address = request.get().replyAddress();
    assertThat(pending.isGone(address)).isFalse();
    assertThat(pending.remainingNs(address))
        .isPositive()
        .isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
    assertThat(pending.isGone("nobody")).isTrue();
    assertThat(pending.remainingNs("nobody")).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ReplyHandler", "HandlerHolder"})
  void whereTheTimersCannotBeReadOnlyWhoIsGoneIsKnown(String missing) {
    try (LoggedLines log = LoggedLines.of(PendingReplies.class.getName(), Level.INFO)) {
      assertThat(known(missing, request.get().replyAddress()))
          .containsExactly(false, Long.MAX_VALUE);
      assertThat(known(missing, "nobody")).containsExactly(true, Long.MAX_VALUE);
      assertThat(log.lines())
          .hasSize(2)
          .allMatch(line -> line.startsWith("requests that cannot be answered in time"));
    }
  }

  @Test
  void whereTheHandlersCannotBeReadEveryAddressCountsAsWaiting() {
    try (LoggedLines log = LoggedLines.of(PendingReplies.class.getName(), Level.INFO)) {
      assertThat(known("EventBusImpl", "nobody")).containsExactly(false, Long.MAX_VALUE);
      assertThat(log.lines())
          .hasSize(2)
          .anyMatch(line -> line.startsWith("requests whose requester has given up"));
    }
  }
}
