package dev.weir.bench.cluster.floors;

import com.hazelcast.core.HazelcastInstance;
import dev.weir.bench.cluster.child.ParentWatch;
import java.util.List;

/**
 * The child process of the Hazelcast floor: a member that holds backups. Arguments: its port, the
 * other's. Prints {@value #READY} when it has joined.
 */
public final class HazelcastMain {
  static final String READY = "READY";

  private HazelcastMain() {}

  /** Stays a member until the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start();
    int port = Integer.parseInt(args[0]);
    int other = Integer.parseInt(args[1]);
    HazelcastInstance member = HazelcastMember.start(port, List.of(other, port));
    System.out.println(READY + " " + member.getCluster().getMembers().size());
  }
}
