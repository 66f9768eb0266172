package dev.weir.cluster;

/**
 * Where a group fetches messages, on its own thread or that of who calls {@link
 * ProcessorGroup#poll}; under the group's lock, as {@link ReplySink}: the two never run at once.
 */
@FunctionalInterface
public interface MessageSource {
  /**
   * Offers what there is to the group, at most about a batch of it; must not block.
   *
   * @return how many messages were offered
   */
  int poll(ProcessorGroup group);
}
