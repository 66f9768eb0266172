package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.options.Checks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
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
      Tags tag = Tags.of(ROLE, word(role));
      meters.add(GROUP_ROLE, tag, stats -> Meters.truth(stats.role() == role));
    }
    meters
        .add(GROUP_EPOCH, GroupStats::epoch)
        .add(GROUP_MEMBERS, stats -> holders(group))
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
        .add(GROUP_SNAPSHOT_PAUSE_MAX, stats -> Meters.seconds(stats.snapshotPauseNs()))
        .add(GROUP_SNAPSHOT_AGE, stats -> age(stats.snapshotAgeNs()))
        .add(GROUP_CLIENTS, GroupStats::clients)
        .add(GROUP_REPLY_BYTES, GroupStats::replyBytes);
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

  @Override
  public JsonObject replica() {
    GroupView view = group.view();
    GroupStats stats = view.stats();
    JsonArray peers = new JsonArray();
    view.peers().forEach(peer -> peers.add(json(peer)));
    JsonArray changes = new JsonArray();
    view.changes().forEach(change -> changes.add(json(change)));
    return new JsonObject()
        .put("name", group())
        .put("role", word(stats.role()))
        .put("epoch", stats.epoch())
        .put("primary", stats.primary())
        .put("accepting", stats.accepting())
        .put("reason", stats.reason())
        .put("inSync", stats.inSync())
        .put("minInSync", group.options().getMinInSync())
        .put("position", stats.logEnd())
        .put("behind", known(view.behind()))
        .put("behindMs", known(view.behindMs()))
        .put("clients", stats.clients())
        .put("replyBytes", stats.replyBytes())
        .put("snapshotAgeMs", stats.snapshotAgeNs() < 0 ? null : stats.snapshotAgeNs() / 1_000_000)
        .put("peers", peers)
        .put("roleChanges", changes);
  }

  private static JsonObject json(GroupView.Peer peer) {
    return new JsonObject()
        .put("name", peer.name())
        .put("witness", peer.witness())
        .put("connected", peer.connected())
        .put("inSync", peer.inSync())
        .put("position", known(peer.position()))
        .put("behind", known(peer.behind()))
        .put("behindMs", known(peer.behindMs()))
        .put("silentMs", known(peer.silentMs()));
  }

  private static JsonObject json(GroupView.RoleChange change) {
    return new JsonObject()
        .put("at", Instant.ofEpochMilli(change.atMs()).toString())
        .put("role", word(change.role()))
        .put("epoch", change.epoch())
        .put("primary", change.primary());
  }

  private static double age(long ns) {
    return ns < 0 ? Double.NaN : Meters.seconds(ns);
  }

  private static Long known(long value) {
    return value < 0 ? null : value;
  }

  private static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  private static long holders(ProcessorGroup group) {
    String witness = group.witness();
    return group.members().stream()
        .filter(name -> !name.isEmpty() && !name.equals(witness))
        .count();
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
