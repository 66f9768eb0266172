package dev.weir.group.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemberEndpointTest {
  private static final String PREFIX = "weir.group.reads.";

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Futures.result("closed", vertx.close());
  }

  private MemberEndpoint<String> endpoint(String service, String member) {
    return new MemberEndpoint<>(
        vertx, PREFIX, service, member, message -> message.reply(service + " of " + member));
  }

  private static String ask(MemberEndpoint<String> from, String member) {
    return Futures.result("an answer", from.ask(member, "?", new DeliveryOptions())).body();
  }

  @Test
  void servicesAndMembersWhoseNamesHaveDotsAreToldApart() {
    MemberEndpoint<String> one = endpoint("a", "b.c");
    MemberEndpoint<String> other = endpoint("a.b", "c");
    for (int i = 0; i < 10; i++) {
      assertThat(ask(one, "b.c")).isEqualTo("a of b.c");
      assertThat(ask(other, "c")).isEqualTo("a.b of c");
    }
    Futures.result("closed", one.close());
    ReplyException failure =
        (ReplyException) Futures.failure("nobody", one.ask("b.c", "?", new DeliveryOptions()));
    assertThat(failure.failureCode()).isEqualTo(FlowFailure.NO_PRIMARY.code());
  }

  @Test
  void membersOfTheVersionBeforeAreAskedAndAnswered() {
    vertx.eventBus().consumer(PREFIX + "a.old", message -> message.reply("before"));
    MemberEndpoint<String> endpoint = endpoint("a", "new");
    assertThat(ask(endpoint, "old")).isEqualTo("before");
    Object answer =
        Futures.result("an answer", vertx.eventBus().request(PREFIX + "a.new", "?")).body();
    assertThat(answer).isEqualTo("a of new");
  }
}
