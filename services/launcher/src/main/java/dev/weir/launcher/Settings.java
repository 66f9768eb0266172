package dev.weir.launcher;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The settings of a program from all sources. A later one wins: defaults, file, environment, system
 * properties, flags. A setting {@code http.port} is {@code WEIR_HTTP_PORT} in the environment and
 * {@code weir.http.port} as a system property; {@code store.cacheBytes} is {@code
 * WEIR_STORE_CACHE_BYTES}. Lists are separated by commas.
 *
 * <p>Whether a setting exists, and its range, is known by the classes that take the sections.
 */
final class Settings {
  static final String ENVIRONMENT_PREFIX = "WEIR_";
  static final String PROPERTY_PREFIX = "weir.";

  private final JsonObject defaults;
  private final JsonObject settings;

  /**
   * @param defaults every section, and within it every setting that has a default
   */
  Settings(JsonObject defaults) {
    this.defaults = defaults;
    this.settings = defaults.copy();
  }

  JsonObject toJson() {
    return settings.copy();
  }

  void file(JsonObject json) {
    for (Map.Entry<String, Object> entry : json) {
      knownSection(entry.getKey(), entry.getKey());
    }
    settings.mergeIn(json, true);
  }

  /** Variables whose first word is no section are left alone: they may be somebody else's. */
  void environment(Map<String, String> variables) {
    variables.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX)) {
            String[] words = name.substring(ENVIRONMENT_PREFIX.length()).split("_");
            // Underscores alone are no words.
            if (words.length > 0) {
              putByWords(name, words, value);
            }
          }
        });
  }

  private void putByWords(String name, String[] words, String value) {
    String path = "";
    JsonObject section = defaults;
    int from = 0;
    for (int to = 1; to < words.length; to++) {
      String key = camelCase(words, from, to);
      if (section.getValue(key) instanceof JsonObject nested) {
        path = path + key + ".";
        section = nested;
        from = to;
      }
    }
    String key = camelCase(words, from, words.length);
    if (from > 0 || defaults.containsKey(key)) {
      put(name, path + key, value);
    }
  }

  private static String camelCase(String[] words, int from, int to) {
    return words[from].toLowerCase(Locale.ROOT)
        + Arrays.stream(words, from + 1, to)
            .filter(word -> !word.isEmpty())
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
  }

  void properties(Map<?, ?> properties) {
    properties.forEach(
        (name, value) -> {
          if (name instanceof String text && text.startsWith(PROPERTY_PREFIX)) {
            put(text, text.substring(PROPERTY_PREFIX.length()), String.valueOf(value));
          }
        });
  }

  /**
   * Sets one.
   *
   * @param source how the user named it, for the error
   * @param path such as http.port
   * @throws IllegalArgumentException if there is no such section, a part of the path is empty, or
   *     the value is of another kind
   */
  void put(String source, String path, String value) {
    String[] keys = path.split("\\.", -1);
    knownSection(source, keys[0]);
    if (Arrays.asList(keys).contains("")) {
      throw new IllegalArgumentException(source + " is no setting, a part of the name is empty");
    }
    JsonObject known = defaults;
    JsonObject target = settings;
    for (int i = 0; i < keys.length - 1; i++) {
      known = known == null ? null : section(known, keys[i]);
      if (!(target.getValue(keys[i]) instanceof JsonObject)) {
        target.put(keys[i], new JsonObject());
      }
      target = target.getJsonObject(keys[i]);
    }
    String key = keys[keys.length - 1];
    Object byDefault = known == null ? null : known.getValue(key);
    target.put(key, parse(source, key, byDefault, value));
  }

  private static JsonObject section(JsonObject json, String key) {
    return json.getValue(key) instanceof JsonObject nested ? nested : null;
  }

  private void knownSection(String source, String section) {
    if (!defaults.containsKey(section)) {
      throw new IllegalArgumentException(
          source
              + " is no setting, the first part of one is "
              + String.join(", ", defaults.fieldNames()));
    }
  }

  /** Of the default's kind; where there is no default, what it looks like. */
  private static Object parse(String source, String key, Object byDefault, String value) {
    if (Secrets.isSecret(key) && !(byDefault instanceof JsonArray) || byDefault instanceof String) {
      return value;
    }
    if (byDefault instanceof JsonArray) {
      JsonArray list = new JsonArray();
      Arrays.stream(value.split(",")).filter(item -> !item.isBlank()).forEach(list::add);
      return list;
    }
    if (byDefault instanceof JsonObject) {
      throw new IllegalArgumentException(source + " is a section, name a setting in it");
    }
    return scalar(source, byDefault, value);
  }

  private static Object scalar(String source, Object byDefault, String value) {
    if (value.equals("true") || value.equals("false")) {
      return Boolean.valueOf(value);
    }
    try {
      return byDefault instanceof Double ? (Number) Double.valueOf(value) : Long.valueOf(value);
    } catch (NumberFormatException e) {
      if (byDefault == null) {
        return value;
      }
      String allowed =
          byDefault instanceof Boolean
              ? "true or false"
              : byDefault instanceof Double ? "a number" : "a whole number";
      throw new IllegalArgumentException(source + " is " + value + ", allowed is " + allowed, e);
    }
  }

  /** A line for the user without the secrets of the settings. */
  String withoutSecrets(String line) {
    return Secrets.hide(line, settings);
  }

  /** Every section and setting at the top, in the order of the defaults. */
  void forEach(BiConsumer<String, Object> action) {
    Secrets.mask(settings).forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
  }
}
