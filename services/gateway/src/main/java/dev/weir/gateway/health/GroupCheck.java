package dev.weir.gateway.health;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.options.Checks;

/**
 * Passes while a replica of a processor group is of use: as primary it may acknowledge, as backup
 * or witness it follows a primary, and in all cases enough members are in sync. Needs weir-cluster
 * on the class path.
 */
public final class GroupCheck implements HealthCheck {
  private final ProcessorGroup group;
  private final String name;
  private final int minInSync;

  public GroupCheck(ProcessorGroup group) {
    this.group = Checks.notNull("group", group);
    this.name = "group-" + group.options().getName();
    this.minInSync = group.options().getMinInSync();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public HealthResult check() {
    GroupStats stats = group.stats();
    String state = stats.role() + ", " + stats.inSync() + " in sync";
    if (stats.voters() > stats.inSync()) {
      state += ", " + stats.voters() + " may vote";
    }
    if (stats.rejected() > 0) {
      state += ", " + stats.rejected() + " messages rejected";
    }
    if (stats.inSync() < minInSync) {
      return HealthResult.fail(state + ", needed are " + minInSync);
    }
    boolean useful =
        switch (stats.role()) {
          case PRIMARY -> stats.accepting();
          case BACKUP, WITNESS -> stats.primary() != null;
          case CANDIDATE, WAITING -> false;
        };
    return useful ? HealthResult.pass(state) : HealthResult.fail(state + ": " + stats.reason());
  }
}
