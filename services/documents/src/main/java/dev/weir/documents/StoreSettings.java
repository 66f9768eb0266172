package dev.weir.documents;

import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of the program: those of the store, but for its directory, and its factories.
 *
 * @param options without the directory, which is that of the node
 * @param factories by name
 */
record StoreSettings(DocumentsOptions options, Map<String, FactoryOptions> factories) {
  private static final String FACTORIES = "factories";
  private static final String DIRECTORY = "directory";

  /** One factory, so that the program can be tried out without settings. */
  static final StoreSettings DEFAULT =
      new StoreSettings(new DocumentsOptions(), Map.of("things", new FactoryOptions()));

  JsonObject toJson() {
    JsonObject json = options.toJson();
    json.remove(DIRECTORY);
    JsonObject all = new JsonObject();
    factories.forEach((name, factory) -> all.put(name, factory.toJson()));
    return json.put(FACTORIES, all);
  }

  /**
   * @throws IllegalArgumentException naming what is wrong
   */
  static StoreSettings of(JsonObject json) {
    if (json.containsKey(DIRECTORY)) {
      throw new IllegalArgumentException("directory is store.directory, or --data");
    }
    JsonObject rest = json.copy();
    Object all = rest.remove(FACTORIES);
    if (!(all instanceof JsonObject named)) {
      throw new IllegalArgumentException(
          "factories is " + all + ", allowed is an object with the options of each by its name");
    }
    Map<String, FactoryOptions> factories = new TreeMap<>();
    named.forEach(each -> factories.put(each.getKey(), factory(each.getKey(), each.getValue())));
    return new StoreSettings(new DocumentsOptions(rest), factories);
  }

  private static FactoryOptions factory(String name, Object options) {
    if (!(options instanceof JsonObject json)) {
      throw new IllegalArgumentException(
          FACTORIES + "." + name + " is " + options + ", allowed is a JSON object");
    }
    try {
      return new FactoryOptions(json);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(FACTORIES + "." + name + ": " + e.getMessage(), e);
    }
  }
}
