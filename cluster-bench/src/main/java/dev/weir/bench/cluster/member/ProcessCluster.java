package dev.weir.bench.cluster.member;

import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.program.Directories;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.GroupOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Members in processes of their own, with the groups they hold, and what can be done to them. */
public final class ProcessCluster implements AutoCloseable {
  /** Of a pair. */
  public static final List<String> NAMES = List.of("a", "b");

  private final MemberNetwork network;
  private final Path directory;
  private final Map<String, GroupEvents> events = new LinkedHashMap<>();
  private final List<MemberProcess> members = new ArrayList<>();

  /**
   * What the members are told.
   *
   * @param groups names
   * @param replication as {@code --replication} of {@code processor.jar} takes it
   * @param minInSync members that must hold a message before it is answered
   */
  public record Plan(List<String> groups, String replication, int minInSync) {}

  /** Tells the events of each group what happens to a member. */
  private final class AllEvents implements MemberEvents {
    @Override
    public void onLine(String member, String line) {
      events.values().forEach(of -> of.onLine(member, line));
    }

    @Override
    public void onEnd(String member, String how) {
      events.values().forEach(of -> of.onEnd(member, how));
    }

    @Override
    public void add(String text) {
      events.values().forEach(of -> of.add(text));
    }
  }

  /**
   * Members of one group that goes on with one of them.
   *
   * @param directory of their data and output; created anew
   */
  public ProcessCluster(MemberNetwork network, Path directory, String replication)
      throws IOException {
    this(network, directory, new Plan(List.of(GroupOptions.DEFAULT_NAME), replication, 1));
  }

  /**
   * Members that have not been started.
   *
   * @param directory of their data and output; created anew
   */
  public ProcessCluster(MemberNetwork network, Path directory, Plan plan) throws IOException {
    this.network = network;
    this.directory = directory;
    if (Files.exists(directory)) {
      removeFiles();
    }
    Files.createDirectories(directory);
    int size = network.members().size();
    plan.groups().forEach(group -> events.put(group, new GroupEvents(size, group)));
    for (int i = 0; i < size; i++) {
      String name = network.members().get(i).name();
      members.add(
          new MemberProcess(
              name,
              network.launcher(i),
              arguments(i, plan),
              directory.resolve(name + ".log"),
              new AllEvents()));
    }
  }

  private List<String> arguments(int member, Plan plan) {
    List<MemberAddress> all = network.members();
    MemberAddress address = all.get(member);
    return List.of(
        "run",
        "--name=" + address.name(),
        "--members=" + String.join(",", all.stream().map(MemberAddress::name).toList()),
        "--group=" + String.join(",", plan.groups()),
        "--host=" + address.host(),
        "--port=" + address.port(),
        "--replication-port=" + address.replicationPort(),
        "--public-port=" + address.publicPort(),
        "--public-replication-port=" + address.publicReplicationPort(),
        "--client-port=" + address.clientPort(),
        "--join=" + String.join(",", all.stream().map(MemberAddress::hazelcast).toList()),
        "--data=" + directory.resolve(address.name()),
        "--replication=" + plan.replication(),
        "--ack-level=persisted",
        "--min-in-sync=" + plan.minInSync(),
        "--waiting=block");
  }

  /** Starts all members and waits until they are in sync. */
  public void start(Duration timeout) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      member.start();
    }
    for (GroupEvents of : events.values()) {
      of.awaitInSync(timeout);
    }
  }

  /** Of the only group. */
  public GroupEvents events() {
    return events.get(GroupOptions.DEFAULT_NAME);
  }

  public GroupEvents events(String group) {
    return events.get(group);
  }

  public List<MemberAddress> addresses() {
    return network.members();
  }

  public List<MemberProcess> members() {
    return members;
  }

  public MemberProcess member(String name) {
    return members.get(index(name));
  }

  public MemberAddress address(String name) {
    return network.members().get(index(name));
  }

  private int index(String name) {
    return network.members().stream().map(MemberAddress::name).toList().indexOf(name);
  }

  public void cut() throws IOException, InterruptedException {
    events().add("cut");
    network.cut();
  }

  public void mend() throws IOException, InterruptedException {
    events().add("mend");
    network.mend();
  }

  /** Compares what the logs of the first two have in common now; members may run. */
  public GroupLogs.Comparison compareLogs() {
    return compareLogs(GroupOptions.DEFAULT_NAME, 1);
  }

  /** Compares what a member's log of a group has in common with that of the first member. */
  public GroupLogs.Comparison compareLogs(String group, int member) {
    return GroupLogs.compare(data(0).resolve(group), data(member).resolve(group));
  }

  private Path data(int member) {
    return directory.resolve(network.members().get(member).name());
  }

  /** Stops all in order, the one given last. */
  public void stop(String last) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      if (!member.name().equals(last)) {
        member.stop();
      }
    }
    member(last).stop();
  }

  /** Removes data and output; no member runs. */
  public void removeFiles() throws IOException {
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
