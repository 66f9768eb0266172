package dev.weir.bench.cluster.floors;

import com.hazelcast.core.HazelcastInstance;
import dev.weir.bench.cluster.child.ParentWatch;
import java.util.List;

/**
 * The main class of the Hazelcast floor's child process, a member that holds backups. Arguments are
 * its port and that of the other member. The process prints {@value #READY} when it has joined.
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
