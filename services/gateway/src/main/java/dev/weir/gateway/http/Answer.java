package dev.weir.gateway.http;

import dev.weir.flow.vertx.BusMessages;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * What a request is answered with.
 *
 * @param contentType null without a body
 * @param body null for none
 * @param headers of the service's reply, or null
 */
public record Answer(int status, CharSequence contentType, Buffer body, MultiMap headers) {
  public static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence OCTETS =
      HttpHeaders.createOptimized("application/octet-stream");
  private static final Buffer TRUE = Buffer.buffer("true");
  private static final Buffer FALSE = Buffer.buffer("false");
  private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=utf-8");

  /** What it counts in memory besides its body. */
  private static final int OVERHEAD_BYTES = 200;

  private static final int HEADER_BYTES = 160;

  /** The reply of a service; its content type follows from the type of the body. */
  public static Answer of(Message<?> reply) {
    MultiMap headers = BusMessages.headers(reply);
    return of(reply.body(), headers == null || headers.isEmpty() ? null : headers);
  }

  private static Answer of(Object body, MultiMap headers) {
    if (body == null) {
      return new Answer(204, null, null, headers);
    }
    if (body instanceof Buffer bytes) {
      return new Answer(200, OCTETS, bytes, headers);
    }
    if (body instanceof byte[] bytes) {
      return new Answer(200, OCTETS, Buffer.buffer(bytes), headers);
    }
    if (body instanceof String text) {
      return new Answer(200, TEXT, Buffer.buffer(text), headers);
    }
    if (body instanceof Boolean truth) {
      return new Answer(200, JSON, truth ? TRUE : FALSE, headers);
    }
    if (body instanceof JsonObject || body instanceof JsonArray || body instanceof Number) {
      return new Answer(200, JSON, Json.encodeToBuffer(body), headers);
    }
    throw new ProblemException(
        ProblemType.HANDLER_FAILED, "the reply is of a type that HTTP cannot carry");
  }

  static Answer of(Problem problem, String path) {
    return new Answer(
        problem.type().status, Problem.MEDIA_TYPE, problem.toJson(path).toBuffer(), null);
  }

  /** Its size in memory, near enough for a limit. */
  int memoryBytes() {
    int bytes = OVERHEAD_BYTES + (body == null ? 0 : body.length());
    if (headers != null) {
      for (Map.Entry<String, String> header : headers) {
        bytes += HEADER_BYTES + header.getKey().length() + header.getValue().length();
      }
    }
    return bytes;
  }
}
