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

  /** Cuts the members off from each other. All members still reach the driver. */
  void cut() throws IOException, InterruptedException;

  /** Ends the cut. */
  void mend() throws IOException, InterruptedException;

  @Override
  void close();
}
