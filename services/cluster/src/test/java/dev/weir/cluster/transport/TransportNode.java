package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;

/** One process, or what stands for one, with what a kind of transport needs there. */
public interface TransportNode extends AutoCloseable {
  Transport transport(GroupOptions options, String self);

  @Override
  void close();
}
