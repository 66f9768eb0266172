package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TypedHandlerTest extends FlowTestBase {
  record Order(String item, int count) {}

  record Receipt(String item, long cents) {}

  private static final JsonObject JSON = new JsonObject().put("item", "nail").put("count", 3);

  private <T> Future<Message<T>> ask(Object body) {
    return vertx.eventBus().request("orders", body);
  }

  private Service serve(ServiceHandler<Order> handler) {
    return Futures.result(
        "serving", weir().serve("orders", Order.class, new ServiceOptions(), handler));
  }

  static Stream<Object> bodies() {
    return Stream.of(JSON, JSON.toBuffer(), JSON.encode(), JSON.toBuffer().getBytes());
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void jsonIsMappedToTheTypeAndTheReplyToJson(Object body) {
    serve(
        message ->
            Future.succeededFuture(
                new Receipt(message.body().item(), 100L * message.body().count())));
    assertThat(Futures.result("reply", this.<JsonObject>ask(body)).body())
        .isEqualTo(new JsonObject().put("item", "nail").put("cents", 300));
  }

  @Test
  void unreadJsonIsMappedFromItsText() {
    JsonObject unread = (JsonObject) UnreadJson.of(JSON.toBuffer());
    serve(message -> Future.succeededFuture(message.body().count()));
    assertThat(Futures.result("reply", this.<Integer>ask(unread)).body()).isEqualTo(3);
    assertThat(UnreadJson.text(unread)).as("its text, of which no value was read").isNotNull();
  }

  @Test
  void aHandlerOfBytesGetsTheTextOfJson() {
    Weir weir = weir();
    List<Object> seen = new CopyOnWriteArrayList<>();
    Futures.result(
        "serving a buffer",
        weir.serve(
            "buffers",
            Buffer.class,
            new ServiceOptions(),
            message -> Future.succeededFuture(seen.add(message.body()))));
    Futures.result(
        "serving an array",
        weir.serve(
            "arrays",
            byte[].class,
            new ServiceOptions(),
            message -> Future.succeededFuture(seen.add(Buffer.buffer(message.body())))));
    Buffer text = Buffer.buffer("{\"item\": \"nail\", \"count\": 3}");
    for (String address : List.of("buffers", "arrays")) {
      for (Object body : List.of(UnreadJson.of(text), JSON, text, text.getBytes())) {
        Futures.result("reply", vertx.eventBus().request(address, body));
      }
    }
    Buffer written = JSON.toBuffer();
    assertThat(seen).containsExactly(text, written, text, text, text, written, text, text);
  }

  @Test
  void aServiceSaysWhichClassItsHandlersTake() {
    Weir weir = weir();
    assertThat(typed(weir, "orders", Order.class).bodyType()).isEqualTo(Order.class);
    assertThat(typed(weir, "objects", JsonObject.class).bodyType()).isNull();
    assertThat(serve(weir, "any", memoryOnly(), message -> null).bodyType()).isNull();
  }

  private <T> Service typed(Weir weir, String address, Class<T> type) {
    return Futures.result("typed", weir.serve(address, type, memoryOnly(), message -> null));
  }

  @Test
  void aListIsAnsweredAsAnArrayAndWhatTheBusCanSendAsItIs() {
    AtomicInteger calls = new AtomicInteger();
    List<Object> replies =
        List.of(
            List.of(new Receipt("a", 1)),
            new ServiceReply(
                new Receipt("b", 2), new DeliveryOptions().addHeader("from", "handler")),
            "text",
            Buffer.buffer("bytes"),
            7L);
    serve(message -> Future.succeededFuture(replies.get(calls.getAndIncrement())));
    assertThat(Futures.result("list", this.<JsonArray>ask(JSON)).body().getJsonObject(0))
        .isEqualTo(new JsonObject().put("item", "a").put("cents", 1));
    Message<JsonObject> withHeader = Futures.result("with header", ask(JSON));
    assertThat(withHeader.body().getString("item")).isEqualTo("b");
    assertThat(withHeader.headers().get("from")).isEqualTo("handler");
    assertThat(Futures.result("text", this.<String>ask(JSON)).body()).isEqualTo("text");
    assertThat(Futures.result("bytes", this.<Buffer>ask(JSON)).body().toString())
        .isEqualTo("bytes");
    assertThat(Futures.result("number", this.<Long>ask(JSON)).body()).isEqualTo(7L);
  }

  @Test
  void aReplyThatTheBusCannotSendSaysWhatItCan() {
    Futures.result(
        "serving",
        weir()
            .serve(
                "orders",
                new ServiceOptions(),
                message -> Future.succeededFuture(new Receipt("nail", 1))));
    assertThat(Futures.failure("refused", ask(JSON)))
        .hasMessage(
            "the reply cannot be sent: No message codec for type: class "
                + Receipt.class.getName()
                + ". Reply what the event bus can send, such as JSON, register a codec by"
                + " Weir.registerCodec, or serve with the class of the body and jackson-databind");
  }

  static Stream<Object> invalid() {
    return Stream.of(
        new JsonObject().put("item", "nail").put("count", "many"),
        new JsonArray().add(1),
        Buffer.buffer("{\"item\":"),
        "text",
        17);
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void aBodyThatIsNoneOfTheTypeIsRefusedAndTheHandlerIsNotCalled(Object body) {
    AtomicInteger calls = new AtomicInteger();
    serve(message -> Future.succeededFuture(calls.incrementAndGet()));
    Throwable refused = Futures.failure("refused", ask(body));
    assertFailure(refused, FlowFailure.BAD_REQUEST);
    assertThat(refused).hasMessage("the body is no valid Order");
    assertThat(calls).hasValue(0);
  }

  @Test
  void aDurableBodyThatIsNoneOfTheTypeIsADeadLetterAtOnce() {
    List<Order> handled = new CopyOnWriteArrayList<>();
    Weir weir = weir();
    Service service =
        Futures.result(
            "serving",
            weir.serve(
                "orders",
                Order.class,
                new ServiceOptions().setBackoffMs(60_000).setMaxBackoffMs(60_000),
                message -> {
                  handled.add(message.body());
                  return Future.succeededFuture();
                }));
    Futures.result("bad", weir.send("orders", "no order", Durability.PROCESS));
    Futures.result("good", weir.send("orders", JSON, Durability.PROCESS));
    Await.until("the good one is handled", () -> handled.size() == 1);
    Await.until("the bad one is a dead letter", () -> service.stats().deadLetters() == 1);
    assertThat(handled).containsExactly(new Order("nail", 3));
    assertThat(service.stats().retried()).isZero();
  }

  @Test
  void anObjectOfTheTypeThatAServiceOfThisNodeGetsIsNotMapped() {
    Text text = new Text("as it is");
    Weir weir = weir().registerCodec(Text.class, new Text.Codec());
    Futures.result(
        "serving",
        weir.serve(
            "orders",
            Text.class,
            new ServiceOptions(),
            message -> Future.succeededFuture(message.body() == text)));
    assertThat(Futures.result("reply", this.<Boolean>ask(text)).body()).isTrue();
  }

  @Test
  void aMessageWithoutABodyHasNone() {
    serve(message -> Future.succeededFuture(message.body() == null));
    assertThat(Futures.result("reply", this.<Boolean>ask(null)).body()).isTrue();
  }
}
