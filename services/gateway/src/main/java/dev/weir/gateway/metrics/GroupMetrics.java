package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.options.Checks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of one replica of a processor group. Needs weir-cluster on the class path. */
public final class GroupMetrics implements MeterBinder, GroupWords, AutoCloseable {
  private final ProcessorGroup group;
  private final List<Meters<?>> bound = new ArrayList<>();

  public GroupMetrics(ProcessorGroup group) {
    this.group = Checks.notNull("group", group);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    GroupOptions options = group.options();
    Meters<GroupStats> meters =
        new Meters<>(registry, Tags.of(GROUP, options.getName()), group::stats);
    for (Role role : Role.values()) {
      Tags tag = Tags.of(ROLE, role.name().toLowerCase(Locale.ROOT));
      meters.add(GROUP_ROLE, tag, stats -> Meters.truth(stats.role() == role));
    }
    meters
        .add(GROUP_EPOCH, GroupStats::epoch)
        .add(GROUP_MEMBERS, stats -> holders(options))
        .add(GROUP_IN_SYNC, GroupStats::inSync)
        .add(GROUP_VOTERS, GroupStats::voters)
        .add(GROUP_MIN_IN_SYNC, stats -> options.getMinInSync())
        .add(GROUP_ACCEPTING, stats -> Meters.truth(stats.accepting()))
        .add(GROUP_LOG_START, GroupStats::logStart)
        .add(GROUP_LOG_END, GroupStats::logEnd)
        .add(GROUP_LOG_EPOCH, GroupStats::logEpoch)
        .add(GROUP_HELD, GroupStats::held)
        .add(GROUP_LAG, GroupMetrics::lag)
        .add(GROUP_ACCEPTED, GroupStats::accepted)
        .add(GROUP_COMPLETED, GroupStats::completed)
        .add(GROUP_ANSWERED_AGAIN, GroupStats::answeredAgain)
        .add(GROUP_BUSY, GroupStats::busy)
        .add(GROUP_BATCHES, GroupStats::batches)
        .add(GROUP_REPLAYED, GroupStats::replayed)
        .add(GROUP_ROLE_CHANGES, GroupStats::roleChanges)
        .add(GROUP_REJECTED, GroupStats::rejected)
        .add(GROUP_REBUILDS, GroupStats::rebuilds)
        .add(GROUP_SNAPSHOT_PAUSE_MAX, stats -> Meters.seconds(stats.snapshotPauseNs()));
    bound.add(meters);
  }

  @Override
  public String group() {
    return group.options().getName();
  }

  @Override
  public String primary() {
    return group.stats().primary();
  }

  @Override
  public String reason() {
    return group.stats().reason();
  }

  private static int holders(GroupOptions options) {
    return options.getMembers().size() - (options.getWitness() == null ? 0 : 1);
  }

  private static double lag(GroupStats stats) {
    return stats.role() == Role.PRIMARY ? stats.logEnd() - stats.held() : 0;
  }

  /** Takes the meters out of their registries. */
  @Override
  public synchronized void close() {
    bound.forEach(Meters::close);
    bound.clear();
  }
}
