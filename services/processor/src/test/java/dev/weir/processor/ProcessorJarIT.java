package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar with the options that the tutorial names; only ports and directories are others. */
class ProcessorJarIT {
  @TempDir private Path directory;
  private final List<ChildJvm> members = new ArrayList<>();

  @AfterEach
  void killAll() {
    members.forEach(ChildJvm::close);
  }

  @Test
  void twoMembersShareThePrimariesOfThreeGroups() throws Exception {
    List<Integer> clients = startAll(List.of("a", "b"), "--group=g1,g2,g3");
    ChildJvm a = members.get(0);
    ChildJvm b = members.get(1);
    a.await("a g1: primary");
    b.await("b g2: primary");
    a.await("a g3: primary");
    b.await("b g1: backup");
    a.await("a g2: backup");
    b.await("b g3: backup");
    drive(clients, "--group=g2");
    stopAll();
  }

  @Test
  void threeMembersFindEachOther() throws Exception {
    List<Integer> clients = startAll(List.of("a", "b", "c"), "--members=a,b,c");
    members.get(0).await("a processor: primary");
    members.get(1).await("b processor: backup");
    members.get(2).await("c processor: backup");
    drive(clients, "--members=a,b,c");
    stopAll();
  }

  /** Returns where they take clients. */
  private List<Integer> startAll(List<String> names, String option) throws Exception {
    List<Integer> ports = FreePorts.find(2 * names.size());
    List<Integer> hazelcast = ports.subList(0, names.size());
    List<Integer> clients = ports.subList(names.size(), ports.size());
    for (int i = 0; i < names.size(); i++) {
      members.add(
          MemberProcess.startJar(
              "run",
              "--name=" + names.get(i),
              option,
              "--port=" + hazelcast.get(i),
              "--join=" + addresses(hazelcast),
              "--client-port=" + clients.get(i),
              "--data=" + directory.resolve(names.get(i)),
              // A busy machine is not to change roles.
              "--lease-ms=10000",
              "--takeover-ms=20000"));
    }
    for (int i = 0; i < names.size(); i++) {
      members.get(i).await(names.get(i) + ": takes clients");
    }
    return clients;
  }

  private static void drive(List<Integer> clients, String option) throws Exception {
    try (ChildJvm driver =
        MemberProcess.startJar(
            "drive", option, "--at=" + addresses(clients), "--rate=500", "--count=500")) {
      assertThat(driver.exitCode()).as("said %s", driver.lines()).isZero();
      assertThat(driver.lines()).contains("sent 500, answered 500, failed 0");
    }
  }

  private void stopAll() throws Exception {
    for (ChildJvm member : members) {
      member.terminate();
      assertThat(member.exitCode()).as("said %s", member.lines()).isZero();
    }
  }

  private static String addresses(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }
}
