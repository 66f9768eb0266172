package dev.weir.cluster;

/** Where a group fetches messages by itself, on its own thread. */
@FunctionalInterface
public interface MessageSource {
  /**
   * Offers what there is to the group, at most about a batch of it; must not block.
   *
   * @return how many messages were offered
   */
  int poll(ProcessorGroup group);
}
