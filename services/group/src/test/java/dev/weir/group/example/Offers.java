package dev.weir.group.example;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.Serde;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** Offers, each with its key, that end by themselves after a minute; amounts in cents. */
public class Offers implements GroupProcessor<JsonObject> {
  private static final long MINUTE_MS = 60_000;

  @Override
  public Object handle(GroupMessage<JsonObject> message, GroupState state) {
    String offer = message.key();
    state.table("offers", Serde.LONG).put(offer, message.body().getLong("cents"));
    long endsMs = message.timestampMs() + MINUTE_MS;
    state.timers().set("end of " + offer, endsMs, Buffer.buffer(offer));
    return new JsonObject().put("offer", offer).put("endsMs", endsMs);
  }

  @Override
  public void onTimer(GroupTimer timer, GroupState state) {
    state.table("offers", Serde.LONG).remove(timer.body().toString());
  }

  @Override
  public Object read(GroupMessage<JsonObject> message, GroupState state) {
    return new JsonObject().put("cents", state.table("offers", Serde.LONG).get(message.key()));
  }
}
