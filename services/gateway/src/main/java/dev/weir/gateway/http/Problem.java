package dev.weir.gateway.http;

import io.vertx.core.json.JsonObject;

/**
 * A failure as RFC 9457 describes it.
 *
 * @param code the failure code of the service, or null if it gave none
 * @param incident the id under which the log has the exception, or null if there is none
 */
public record Problem(ProblemType type, String detail, Integer code, String incident) {
  public static final String MEDIA_TYPE = "application/problem+json";

  /** Characters of a text that came from a service. */
  private static final int MAX_DETAIL_CHARS = 500;

  public static Problem of(ProblemType type, String detail) {
    return withCode(type, detail, null);
  }

  static Problem withCode(ProblemType type, String detail, Integer code) {
    return new Problem(type, detail, code, null);
  }

  /** With the first line of a text from elsewhere, so that it is never a stack trace. */
  static Problem foreign(ProblemType type, String text, Integer code) {
    String line = text == null ? type.title : text.lines().findFirst().orElse(type.title);
    return withCode(type, line.substring(0, Math.min(line.length(), MAX_DETAIL_CHARS)), code);
  }

  /**
   * @param instance the path of the request; null if it is not known
   */
  public JsonObject toJson(String instance) {
    JsonObject json =
        new JsonObject()
            .put("type", type.uri)
            .put("title", type.title)
            .put("status", type.status)
            .put("detail", detail);
    if (instance != null) {
      json.put("instance", instance);
    }
    if (code != null) {
      json.put("code", code);
    }
    return incident == null ? json : json.put("incident", incident);
  }
}
