package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import java.util.List;
import java.util.Random;

/**
 * What one run of a {@link GroupSimulation} is given.
 *
 * @param faultsMs how long faults happen; after it everything is healed
 * @param eager whether replicas acknowledge without waiting for the others: to see the checks fail
 */
record SimSettings(long seed, GroupOptions options, long faultsMs, boolean eager) {

  /** Members, lease and takeover by the seed. */
  static SimSettings of(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    int members = seed % 8 == 0 ? 1 : seed % 8 < 4 ? 2 : 3;
    int minInSync = members == 1 ? 1 : 1 + random.nextInt(2);
    int leaseMs = 200 + random.nextInt(600);
    int takeoverMs = (leaseMs * (120 + random.nextInt(100)) + 99) / 100;
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a", "b", "c").subList(0, members))
            .setMinInSync(minInSync)
            .setHeartbeatMs(30 + random.nextInt(60))
            .setLeaseMs(leaseMs)
            .setTakeoverMs(takeoverMs);
    int faultsMs = 2_000 + random.nextInt(14_000);
    int handBackMs = random.nextInt(3) == 0 ? 3 * takeoverMs + random.nextInt(1_000) : 0;
    return new SimSettings(seed, options.setHandBackMs(handBackMs).validate(), faultsMs, false);
  }

  SimSettings withOptions(GroupOptions other) {
    return new SimSettings(seed, other, faultsMs, eager);
  }

  SimSettings asEager() {
    return new SimSettings(seed, options, faultsMs, true);
  }

  int members() {
    return options.getMembers().size();
  }
}
