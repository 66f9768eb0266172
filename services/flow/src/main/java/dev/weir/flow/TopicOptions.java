package dev.weir.flow;

import static dev.weir.options.OptionTypes.texts;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;

/** Who gets what is published to a {@link Topic}. */
public final class TopicOptions extends JsonOptions<TopicOptions> {
  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<List<String>> SUBSCRIBERS =
      OPTIONS
          .add("subscribers", texts(), List.of())
          .does(
              "Their names, at least one, each once and without a dot: the service TOPIC.NAME gets"
                  + " its own copy of each message.");

  public TopicOptions() {
    super(OPTIONS);
  }

  public TopicOptions(TopicOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public TopicOptions(JsonObject json) {
    super(OPTIONS, json);
    check(getSubscribers());
  }

  /** Empty by default, which no topic takes. */
  public List<String> getSubscribers() {
    return get(SUBSCRIBERS);
  }

  /**
   * @param subscribers names, each once, not blank and without a dot
   * @throws IllegalArgumentException naming one that is not allowed
   */
  public TopicOptions setSubscribers(List<String> subscribers) {
    check(subscribers);
    return set(SUBSCRIBERS, subscribers);
  }

  private static void check(List<String> subscribers) {
    HashSet<String> names = new HashSet<>();
    for (String name : subscribers) {
      if (name == null || name.isBlank() || name.indexOf('.') >= 0 || !names.add(name)) {
        throw new IllegalArgumentException(
            "subscribers has " + name + ", allowed are names without a dot, each once");
      }
    }
  }
}
