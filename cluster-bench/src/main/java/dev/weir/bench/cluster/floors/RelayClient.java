package dev.weir.bench.cluster.floors;

import dev.weir.bench.load.Target;
import java.io.IOException;

/** What sends to the primary of a relay. */
interface RelayClient extends Target, AutoCloseable {
  @Override
  void close() throws IOException;
}
