package dev.weir.bench.cluster.network;

import java.io.IOException;
import java.util.List;

/** Where the members of a cluster run, and what is between them. */
public interface MemberNetwork extends AutoCloseable {

  /** All members. */
  List<MemberAddress> members();

  /** What stands before the command of a member's process; empty if nothing does. */
  default List<String> launcher(int member) {
    return List.of();
  }

  /** From now on nothing gets from one member to another; both reach the driver as before. */
  void cut() throws IOException, InterruptedException;

  /** Undoes the cut. */
  void mend() throws IOException, InterruptedException;

  @Override
  void close();
}
