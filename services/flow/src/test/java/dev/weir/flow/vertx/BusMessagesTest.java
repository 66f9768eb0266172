package dev.weir.flow.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusMessagesTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Futures.result("vert.x closes", vertx.close());
  }

  private Message<Object> reply(DeliveryOptions options) {
    vertx.eventBus().consumer("service", message -> message.reply("reply", options));
    return Futures.result("a reply", vertx.eventBus().request("service", "request"));
  }

  @Test
  void theHeadersOfAMessageAreFound() {
    Message<Object> reply = reply(new DeliveryOptions().addHeader("name", "value"));
    assertThat(BusMessages.headers(reply).get("name")).isEqualTo("value");
  }

  @Test
  void noHeadersAreMadeForAMessageWithoutAny() {
    Message<Object> reply = reply(new DeliveryOptions());
    assertThat(BusMessages.headers(reply)).isNull();
    assertThat(reply.headers()).isEmpty();
  }

  @Test
  void whereTheHeadersCannotBeReadTheMessageMakesThem() {
    assertThat(BusMessages.field("renamed")).isNull();
    Message<Object> without = reply(new DeliveryOptions());
    assertThat(BusMessages.headers(without, null)).isEmpty();
  }

  @Test
  void aSpanInAFieldOfAnotherNameIsNotRead() {
    assertThat(BusMessages.receiverSpan()).isPresent();
    assertThat(BusMessages.spanField("renamed")).isEmpty();
  }
}
