package dev.weir.bench.cluster.network;

import java.io.IOException;
import java.util.List;

/** The network between the members of a cluster. */
public interface MemberNetwork extends AutoCloseable {

  /** The addresses of all members. */
  List<MemberAddress> members();

  /** A command that must start the member's process; empty for none. */
  default List<String> launcher(int member) {
    return List.of();
  }

  /**
   * Cuts the members off from each other. All members still reach the driver.
   *
   * @throws IOException always, where the network cannot be cut
   */
  default void cut() throws IOException, InterruptedException {
    throw new IOException("members on one address cannot be cut off from each other");
  }

  /** Ends the cut. */
  default void mend() throws IOException, InterruptedException {}

  /** Removes what the network created; nothing by default. */
  @Override
  default void close() {}
}
