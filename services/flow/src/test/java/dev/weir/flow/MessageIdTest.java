package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.eventbus.DeliveryOptions;
import org.junit.jupiter.api.Test;

class MessageIdTest extends FlowTestBase {
  private static final DeliveryOptions PLAIN = new DeliveryOptions();

  private String send(Weir weir, String body, String id) {
    return Futures.result("accepted", weir.sendWithId("ids", body, Durability.PROCESS, PLAIN, id));
  }

  @Test
  void theSenderLearnsTheIdThatTheHandlerSees() {
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, "ids", diskOnly(), gate::handle);
    for (String id : new String[] {"mine", null, null}) {
      String told = send(weir, "a", id);
      Await.until("started", () -> !gate.held.isEmpty());
      assertThat(gate.held.peek().message().id()).isEqualTo(told);
      assertThat(told).isEqualTo(id == null ? told : id);
      assertThat(gate.held.peek().message().isNamed()).isEqualTo(id != null);
      gate.open();
    }
  }

  @Test
  void aMessageOfAKnownIdIsHandledOnceAlsoOverARestart() {
    Gate first = new Gate();
    Weir before = weir();
    Service service = serve(before, "ids", new ServiceOptions(), first::handle);
    assertThat(send(before, "a", "1")).isEqualTo("1");
    assertThat(send(before, "a again", "1")).isEqualTo("1");
    Await.until("it is started", () -> !first.held.isEmpty());
    first.openAll();
    Await.until("it is completed", () -> service.stats().completed() == 1);
    Futures.result("weir closes", before.close());

    Gate second = new Gate();
    Weir after = weir();
    serve(after, "ids", new ServiceOptions(), second::handle);
    assertThat(send(after, "a once more", "1")).isEqualTo("1");
    assertThat(send(after, "b", "2")).isEqualTo("2");
    Await.until("the new one is started", () -> !second.held.isEmpty());
    assertThat(first.bodies).containsExactly("a");
    assertThat(second.bodies).containsExactly("b");
    second.openAll();
  }

  @Test
  void anIdTravelsOverTheBus() {
    Gate gate = new Gate();
    serve(weir(), "ids", diskOnly(), gate::handle);
    Weir elsewhere = weir(new WeirOptions());
    assertThat(send(elsewhere, "a", "far")).isEqualTo("far");
    assertThat(send(elsewhere, "a", "far")).isEqualTo("far");
    String named = send(elsewhere, "b", null);
    Await.until("started", () -> !gate.held.isEmpty());
    assertThat(gate.held.peek().message().id()).isEqualTo("far");
    assertThat(gate.held.peek().message().headers().isEmpty()).isTrue();
    gate.open();
    Await.until("the second is started", () -> !gate.held.isEmpty());
    assertThat(gate.held.peek().message().id()).isEqualTo(named);
    gate.open();
  }

  @Test
  void anEmptyIdIsRefused() {
    Weir weir = weir();
    assertThat(Futures.failure("no id", weir.sendWithId("ids", "a", Durability.PROCESS, PLAIN, "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("id has 0 characters");
  }
}
