package dev.weir.cluster.log;

/**
 * The objects of the state in a log. A log has none until they are asked for, and then their tables
 * are opened: a log of a state that is in memory never has them.
 */
final class LogObjects {
  private final LogEnvironment environment;
  private final MetaTable meta;
  private final SnapshotTables snapshots;
  private final Runnable onOld;

  /** Null before {@link #open}. */
  private volatile JeObjects objects;

  /**
   * @param onOld called when there is something for {@link #removeOld}
   */
  LogObjects(LogEnvironment environment, MetaTable meta, SnapshotTables snapshots, Runnable onOld) {
    this.environment = environment;
    this.meta = meta;
    this.snapshots = snapshots;
    this.onOld = onOld;
  }

  /**
   * The objects, from now on also after each start.
   *
   * @param generation number of the current history
   */
  synchronized JeObjects open(long generation) {
    if (objects == null) {
      environment.use(meta::withObjects);
      objects = environment.use(() -> new JeObjects(environment, snapshots, generation, onOld));
    }
    return objects;
  }

  /** See {@link JeObjects#arrived}. */
  long arrived() {
    return objects == null ? 0 : objects.arrived();
  }

  /** See {@link JeObjects#replace}. */
  void replace(long generation) {
    if (objects != null) {
      objects.replace(generation);
    }
  }

  /** See {@link JeObjects#takeMark}. */
  long takeMark() {
    return objects == null ? 0 : objects.takeMark();
  }

  /** See {@link JeObjects#forget}. */
  void forget() {
    if (objects != null) {
      objects.forget();
    }
  }

  /** See {@link JeObjects#removeOld}. */
  boolean removeOld() {
    return objects != null && objects.removeOld();
  }

  void close() {
    if (objects != null) {
      objects.close();
    }
  }
}
