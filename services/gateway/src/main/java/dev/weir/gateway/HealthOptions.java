package dev.weir.gateway;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;

/** The limits beyond which a node is not ready. */
public final class HealthOptions extends JsonOptions<HealthOptions> {
  /** {@value} percent of a service's disk budget. */
  public static final int DEFAULT_DISK_PERCENT = 90;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Integer> DISK_PERCENT =
      OPTIONS
          .integer("diskPercent", DEFAULT_DISK_PERCENT, 1, 100)
          .does("Percent of the disk budget of any service at which the node is not ready.");

  public HealthOptions() {
    super(OPTIONS);
  }

  public HealthOptions(HealthOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public HealthOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  public int getDiskPercent() {
    return get(DISK_PERCENT);
  }

  /**
   * Percent of the disk budget of any service at which the node is not ready, 1 to 100; default
   * {@value #DEFAULT_DISK_PERCENT}.
   */
  public HealthOptions setDiskPercent(int diskPercent) {
    return set(DISK_PERCENT, diskPercent);
  }
}
