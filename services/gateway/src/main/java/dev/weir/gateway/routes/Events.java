package dev.weir.gateway.routes;

import dev.weir.flow.Weir;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.Answer;
import dev.weir.gateway.http.Exchange;
import dev.weir.gateway.http.Fingerprint;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.RequestBody;
import dev.weir.gateway.http.RequestBody.JsonText;
import dev.weir.gateway.http.RequestHeaders;
import dev.weir.queue.Durability;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;

/** {@code POST /services/{address}/events}: a message that is kept until it is handled. */
final class Events {
  private final Weir weir;
  private final HeaderRules rules;

  /** For messages without headers; nobody changes it. */
  private final DeliveryOptions plain;

  Events(Weir weir, GatewayOptions options, HeaderRules rules) {
    this.weir = weir;
    this.rules = rules;
    this.plain = new DeliveryOptions().setSendTimeout(options.getTimeoutMs());
  }

  void handle(Exchange exchange, String address, Buffer bytes) {
    MultiMap headers = exchange.request().headers();
    RequestHeaders.refuseEncoded(headers);
    if (headers.contains(RequestHeaders.TIMEOUT_MS)) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST,
          "Weir-Timeout-Ms is for requests; an event is kept until it is handled");
    }
    Durability durability = RequestHeaders.durability(headers);
    String key = RequestHeaders.key(headers);
    String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
    String fingerprint = key == null ? null : Fingerprint.ofBody(contentType, bytes);
    Object body = RequestBody.decode(contentType, bytes, JsonText.CHECKED);
    MultiMap passed = RequestHeaders.withTimes(rules.in(headers), headers);
    DeliveryOptions options =
        passed == null ? plain : new DeliveryOptions(plain).setHeaders(passed);
    weir.sendWithId(address, body, durability, options, exchange.id(key), fingerprint)
        .onComplete(
            done -> {
              if (done.succeeded()) {
                exchange.answer(accepted(done.result()));
              } else {
                exchange.fail(done.cause());
              }
            });
  }

  private static Answer accepted(String id) {
    return new Answer(202, Answer.JSON, new JsonObject().put("id", id).toBuffer(), null);
  }
}
