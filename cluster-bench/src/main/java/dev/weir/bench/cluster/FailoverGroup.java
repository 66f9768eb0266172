package dev.weir.bench.cluster;

import dev.weir.bench.program.Directories;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.GroupOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two members of a group in processes of their own, and what can be done to them. */
final class FailoverGroup implements AutoCloseable {
  static final List<String> NAMES = List.of("a", "b");

  private final MemberNetwork network;
  private final Path directory;
  private final GroupEvents events = new GroupEvents(NAMES.size());
  private final List<MemberProcess> members = new ArrayList<>();

  /**
   * Members that have not been started.
   *
   * @param directory of their data and output; created anew
   * @param replication as {@code --replication} of {@code processor.jar} takes it
   */
  FailoverGroup(MemberNetwork network, Path directory, String replication) throws IOException {
    this.network = network;
    this.directory = directory;
    if (Files.exists(directory)) {
      removeFiles();
    }
    Files.createDirectories(directory);
    for (int i = 0; i < NAMES.size(); i++) {
      members.add(
          new MemberProcess(
              NAMES.get(i),
              network.launcher(i),
              arguments(i, replication),
              directory.resolve(NAMES.get(i) + ".log"),
              events));
    }
  }

  private List<String> arguments(int member, String replication) {
    MemberAddress address = network.members().get(member);
    List<String> hazelcast = network.members().stream().map(MemberAddress::hazelcast).toList();
    return List.of(
        "run",
        "--name=" + address.name(),
        "--members=" + String.join(",", NAMES),
        "--host=" + address.host(),
        "--port=" + address.port(),
        "--replication-port=" + address.replicationPort(),
        "--client-port=" + address.clientPort(),
        "--join=" + String.join(",", hazelcast),
        "--data=" + data(member),
        "--replication=" + replication,
        "--ack-level=persisted",
        "--min-in-sync=1",
        "--waiting=block");
  }

  private Path data(int member) {
    return directory.resolve(NAMES.get(member));
  }

  /** Starts all members and waits until they are in sync. */
  void start(Duration timeout) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      member.start();
    }
    events.awaitInSync(timeout);
  }

  GroupEvents events() {
    return events;
  }

  List<MemberAddress> addresses() {
    return network.members();
  }

  MemberProcess member(String name) {
    return members.get(NAMES.indexOf(name));
  }

  MemberAddress address(String name) {
    return network.members().get(NAMES.indexOf(name));
  }

  void cut() throws IOException, InterruptedException {
    events.add("cut");
    network.cut();
  }

  void mend() throws IOException, InterruptedException {
    events.add("mend");
    network.mend();
  }

  /** Compares what the two logs have in common now; members may run. */
  GroupLogs.Comparison compareLogs() {
    String group = GroupOptions.DEFAULT_NAME;
    return GroupLogs.compare(data(0).resolve(group), data(1).resolve(group));
  }

  /** Stops all in order, the primary last. */
  void stop(String primary) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      if (!member.name().equals(primary)) {
        member.stop();
      }
    }
    member(primary).stop();
  }

  /** Removes data and output; no member runs. */
  void removeFiles() throws IOException {
    Directories.delete(directory);
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    members.forEach(MemberProcess::close);
    network.close();
  }
}
