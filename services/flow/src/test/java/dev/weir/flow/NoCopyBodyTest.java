package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class NoCopyBodyTest extends FlowTestBase {
  private final JsonObject kept = new JsonObject().put("state", 1);

  private Object reply(Object body) {
    return Futures.<Message<Object>>result("reply", vertx.eventBus().request("give", body)).body();
  }

  @Test
  void aGivenReplyReachesTheRequesterWithoutACopyAndAsAnOrdinaryBody() {
    serve(
        weir(),
        "give",
        memoryOnly(),
        message -> Future.succeededFuture(NoCopyBody.of(message.body())));
    JsonObject object = new JsonObject().put("a", 1);
    JsonObject objectBack = (JsonObject) reply(NoCopyBody.of(object));
    assertThat(objectBack.getMap()).isSameAs(object.getMap());
    assertThat(objectBack.getClass()).isEqualTo(JsonObject.class);

    JsonArray array = new JsonArray().add(1);
    JsonArray arrayBack = (JsonArray) reply(NoCopyBody.of(array));
    assertThat((Object) arrayBack.getList()).isSameAs(array.getList());
    assertThat(arrayBack.getClass()).isEqualTo(JsonArray.class);

    Buffer bufferBack = (Buffer) reply(NoCopyBody.of(Buffer.buffer("abc")));
    assertThat(bufferBack.appendString("d").copy()).isEqualTo(Buffer.buffer("abcd"));
  }

  @Test
  void anyOtherBodyIsGivenAsItIs() {
    serve(
        weir(),
        "give",
        memoryOnly(),
        message -> Future.succeededFuture(NoCopyBody.of(message.body())));
    assertThat(reply("text")).isEqualTo("text");
    assertThat(reply(null)).isNull();
  }

  @Test
  void aReplyThatIsNotGivenIsACopySoThatAServiceMayKeepIt() {
    serve(weir(), "give", memoryOnly(), message -> Future.succeededFuture(kept));
    JsonObject first = (JsonObject) reply("?");
    first.put("state", 2);
    kept.put("other", 3);
    assertThat(first).isEqualTo(new JsonObject().put("state", 2));
    assertThat(reply("?")).isEqualTo(new JsonObject().put("state", 1).put("other", 3));
  }

  @Test
  void aGivenRequestThatWaitsOnDiskArrivesAsItWasGiven() {
    Gate gate = new Gate();
    serve(weir(), "give", diskOnly(), gate::handle);
    List<Future<Message<Object>>> replies =
        List.of(
            vertx.eventBus().request("give", NoCopyBody.of(new JsonObject().put("n", 0))),
            vertx.eventBus().request("give", NoCopyBody.of(new JsonObject().put("n", 1))));
    for (int i = 0; i < 2; i++) {
      Await.until("one is started", () -> !gate.held.isEmpty());
      gate.open();
      assertThat(Futures.result("reply", replies.get(i)).body())
          .isEqualTo(new JsonObject().put("n", i));
    }
  }

  @Test
  void aGivenBodyIsSentDurablyLikeAnyOther() {
    AtomicReference<Object> seen = new AtomicReference<>();
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "give",
            new ServiceOptions(),
            message -> {
              seen.set(message.body());
              return Future.succeededFuture();
            });
    Futures.result(
        "send", weir.send("give", NoCopyBody.of(new JsonObject().put("a", 1)), Durability.PROCESS));
    Await.until("it is handled", () -> service.stats().completed() == 1);
    assertThat(seen.get()).isEqualTo(new JsonObject().put("a", 1));
  }
}
