package dev.weir.group;

import dev.weir.cluster.ProcessorGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What watches the replicas of a service on this member, each until it ends. Under the lock of
 * {@link HostedShards}.
 */
final class ReplicaWatches {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaWatches.class);

  /** Each is called with every replica that runs here. */
  private final List<Function<ProcessorGroup, ? extends AutoCloseable>> watchers =
      new ArrayList<>();

  /** By shard: what is closed when its replica ends. */
  private final Map<Integer, List<AutoCloseable>> watches = new HashMap<>();

  /**
   * Has each replica watched, now or when it starts.
   *
   * @param running by shard: the replicas that run already
   */
  void add(
      Function<ProcessorGroup, ? extends AutoCloseable> watcher,
      Map<Integer, ProcessorGroup> running) {
    watchers.add(watcher);
    running.forEach((shard, group) -> watch(shard, group, watcher));
  }

  void started(int shard, ProcessorGroup group) {
    watchers.forEach(watcher -> watch(shard, group, watcher));
  }

  private void watch(
      int shard, ProcessorGroup group, Function<ProcessorGroup, ? extends AutoCloseable> watcher) {
    try {
      AutoCloseable watch = watcher.apply(group);
      if (watch != null) {
        watches.computeIfAbsent(shard, none -> new ArrayList<>()).add(watch);
      }
    } catch (RuntimeException e) {
      // The replica serves, whether it is watched or not.
      LOG.warn("{} is not watched", group.options().getName(), e);
    }
  }

  void ended(int shard) {
    List<AutoCloseable> ending = watches.remove(shard);
    if (ending != null) {
      ending.forEach(ReplicaWatches::end);
    }
  }

  private static void end(AutoCloseable watch) {
    try {
      watch.close();
    } catch (Exception e) {
      LOG.warn("what watched a replica cannot be closed", e);
    }
  }
}
