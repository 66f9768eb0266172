package dev.weir.flow;

import dev.weir.options.OptionSet;
import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import dev.weir.options.Options;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The base of options classes that are read from JSON.
 *
 * @param <S> the subclass
 */
public abstract class JsonOptions<S extends JsonOptions<S>> extends Options<S> {
  /** All options have their defaults. */
  protected JsonOptions(OptionSet declared) {
    super(declared);
  }

  /** Copies all values. */
  protected JsonOptions(JsonOptions<S> other) {
    super(other);
  }

  /**
   * Options that are not in the object have their defaults.
   *
   * @param json keys as {@link #toJson()} writes them
   * @throws IllegalArgumentException naming an unknown key, or an option, its value and what is
   *     allowed
   */
  protected JsonOptions(OptionSet declared, JsonObject json) {
    super(declared, map(json));
  }

  /** The options; those that are null are left out. */
  public JsonObject toJson() {
    return new JsonObject(toMap());
  }

  /**
   * Options within options.
   *
   * @param read makes them of JSON
   * @param copy copies them
   */
  public static <S extends JsonOptions<S>> OptionType<S> section(
      Function<JsonObject, S> read, UnaryOperator<S> copy) {
    return OptionTypes.section(map -> read.apply(new JsonObject(map)), copy);
  }

  private static Map<String, Object> map(JsonObject json) {
    Map<String, Object> map = new LinkedHashMap<>();
    json.getMap().forEach((name, value) -> map.put(name, plain(value)));
    return map;
  }

  private static Object plain(Object value) {
    if (value instanceof JsonObject object) {
      return map(object);
    }
    return value instanceof JsonArray array
        ? array.stream().map(JsonOptions::plain).collect(Collectors.toList())
        : value;
  }

  @Override
  public final String toString() {
    return toJson().encode();
  }
}
