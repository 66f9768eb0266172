package dev.weir.cluster;

/** One process, or what stands for one, with what a kind of transport needs there. */
interface TransportNode extends AutoCloseable {
  Transport transport(GroupOptions options, String self);

  @Override
  void close();
}
