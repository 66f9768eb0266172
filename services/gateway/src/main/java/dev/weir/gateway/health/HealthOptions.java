package dev.weir.gateway.health;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;

import dev.weir.flow.OptionReader;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/** From when on a node is not ready. */
public final class HealthOptions {
  /** {@value} percent of a service's disk budget. */
  public static final int DEFAULT_DISK_PERCENT = 90;

  private int diskPercent = DEFAULT_DISK_PERCENT;

  public HealthOptions() {}

  public HealthOptions(HealthOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public HealthOptions(JsonObject json) {
    new OptionReader(
            Map.of("diskPercent", value -> setDiskPercent(smallWhole("diskPercent", value))))
        .apply(json);
  }

  public JsonObject toJson() {
    return new JsonObject().put("diskPercent", diskPercent);
  }

  public int getDiskPercent() {
    return diskPercent;
  }

  /**
   * Percent of the disk budget of any service at which the node is not ready, 1 to 100; default
   * {@value #DEFAULT_DISK_PERCENT}.
   */
  public HealthOptions setDiskPercent(int diskPercent) {
    this.diskPercent = (int) range("diskPercent", diskPercent, 1, 100);
    return this;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
