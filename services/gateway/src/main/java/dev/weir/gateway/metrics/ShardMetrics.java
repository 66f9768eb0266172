package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.options.Checks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The figures of a service of shards on one member: what it holds, and how shards move. Those of
 * each replica are {@link GroupMetrics}. Any thread.
 */
public final class ShardMetrics implements MeterBinder, AutoCloseable {
  private final String address;
  private final Supplier<Figures> source;
  private final List<Meters<?>> bound = new ArrayList<>();

  /**
   * What {@code GroupService} of weir-group knows.
   *
   * @param replicas on this member
   * @param left replicas that still have to move or to catch up; negative if it is not known
   * @param done steps of moves that were made
   * @param failed steps that were not made
   */
  public record Figures(int replicas, int left, long done, long failed) {}

  /**
   * @param address of the service
   * @param source asked when figures are read; must not block
   */
  public ShardMetrics(String address, Supplier<Figures> source) {
    this.address = Checks.notNull("address", address);
    this.source = Checks.notNull("source", source);
  }

  String address() {
    return address;
  }

  /** As {@code GET /admin/cluster} and the dashboard show it. */
  public JsonObject json() {
    Figures now = source.get();
    return new JsonObject()
        .put("address", address)
        .put("replicas", now.replicas())
        .put("movesLeft", now.left() < 0 ? null : now.left())
        .put("stepsDone", now.done())
        .put("stepsFailed", now.failed());
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    bound.add(
        new Meters<>(registry, Tags.of(ADDRESS, address), source)
            .add(SHARDS_REPLICAS, Figures::replicas)
            .add(SHARDS_MOVES_LEFT, now -> now.left() < 0 ? Double.NaN : now.left())
            .add(SHARDS_MOVE_STEPS, Figures::done)
            .add(SHARDS_MOVE_STEPS_FAILED, Figures::failed));
  }

  /** Takes the meters out of their registries. */
  @Override
  public synchronized void close() {
    bound.forEach(Meters::close);
    bound.clear();
  }
}
