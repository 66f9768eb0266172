package dev.weir.echo;

import dev.weir.flow.JsonOptions;
import dev.weir.flow.ServiceOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionTypes;
import io.vertx.core.json.JsonObject;

/** The settings of the echo program. */
final class EchoOptions extends JsonOptions<EchoOptions> {
  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Long> DELAY_MS =
      OPTIONS.whole("delayMs", 0, 0, 60_000).does("Time until a request is answered.");
  private static final Option<String> JOURNAL =
      OPTIONS
          .add("journal", OptionTypes.anyText(), "")
          .does("File to which events are written; empty for none.");
  private static final Option<ServiceOptions> POOL =
      OPTIONS
          .add("pool", section(EchoOptions::pool, ServiceOptions::new), new ServiceOptions())
          .does("The options of each service.");

  EchoOptions() {
    super(OPTIONS);
  }

  EchoOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  private static ServiceOptions pool(JsonObject json) {
    try {
      return new ServiceOptions(json);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("pool: " + e.getMessage(), e);
    }
  }

  long delayMs() {
    return get(DELAY_MS);
  }

  /** File to which events are written; empty for none. */
  String journal() {
    return get(JOURNAL);
  }

  ServiceOptions pool() {
    return get(POOL);
  }
}
