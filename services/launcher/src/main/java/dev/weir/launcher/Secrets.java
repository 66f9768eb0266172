package dev.weir.launcher;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;

/** Which settings are secrets, by their names. */
final class Secrets {
  static final String MASK = "***";
  private static final Pattern NAME =
      Pattern.compile("(?i).*(token|secret|password|passphrase|credential)s?");

  private Secrets() {}

  /** A name such as adminToken or passwords; not tokenFile, which only says where one is. */
  static boolean isSecret(String name) {
    return NAME.matcher(name).matches();
  }

  /** A copy in which secrets that are set are {@value #MASK}. */
  static JsonObject mask(JsonObject settings) {
    JsonObject masked = new JsonObject();
    settings.forEach(entry -> masked.put(entry.getKey(), mask(entry.getKey(), entry.getValue())));
    return masked;
  }

  private static Object mask(String name, Object value) {
    if (value instanceof JsonObject section) {
      return mask(section);
    }
    if (value == null || !isSecret(name)) {
      return value;
    }
    return value instanceof JsonArray ? new JsonArray().add(MASK) : MASK;
  }
}
