package dev.weir.bench.cluster.member;

import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.Directories;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.GroupOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The members of a cluster, each in a child process, and the events of the groups they run. */
public final class ProcessCluster implements AutoCloseable {
  /** Names of the members of a pair. */
  public static final List<String> NAMES = List.of("a", "b");

  /** How members may replicate, as {@code --replication} of {@code processor.jar} takes it. */
  public static final List<String> LINKS = List.of("tcp", "hazelcast");

  private final MemberNetwork network;
  private final Path directory;
  private final Map<String, GroupEvents> events = new LinkedHashMap<>();
  private final List<MemberProcess> members = new ArrayList<>();

  /**
   * What all members are started with.
   *
   * @param groups names of the groups
   * @param replication as {@code --replication} of {@code processor.jar} takes it
   * @param minInSync how many members must have a message before the group replies to it
   * @param witness the name of the member that votes only, the last one; null for none
   * @param program main class of a member, which takes and prints what {@link MemberMain} does
   * @param more arguments of the program
   */
  public record Plan(
      List<String> groups,
      String replication,
      int minInSync,
      String witness,
      Class<?> program,
      List<String> more) {
    /** Members that run {@code processor.jar}. */
    public Plan(List<String> groups, String replication, int minInSync) {
      this(groups, replication, minInSync, null, MemberMain.class, List.of());
    }

    /** Members of one group that needs only one of them, with a witness or null. */
    public Plan(String replication, String witness, List<String> more) {
      this(List.of(GroupOptions.DEFAULT_NAME), replication, 1, witness, MemberMain.class, more);
    }

    /** Members of one group that needs only one of them, and run this program. */
    public Plan(String replication, Class<?> program, List<String> more) {
      this(List.of(GroupOptions.DEFAULT_NAME), replication, 1, null, program, more);
    }
  }

  /**
   * Members that are not started yet.
   *
   * @param directory for data and output of the members; emptied if it exists
   */
  public ProcessCluster(MemberNetwork network, Path directory, Plan plan) throws IOException {
    this.network = network;
    this.directory = directory;
    if (Files.exists(directory)) {
      removeFiles();
    }
    Files.createDirectories(directory);
    int size = network.members().size();
    int holders = plan.witness() == null ? size : size - 1;
    plan.groups().forEach(group -> events.put(group, new GroupEvents(holders, group)));
    for (int i = 0; i < size; i++) {
      String name = network.members().get(i).name();
      members.add(
          new MemberProcess(
              name,
              network.launcher(i),
              plan.program(),
              arguments(i, plan),
              directory.resolve(name + ".log"),
              events.values()));
    }
  }

  private List<String> arguments(int member, Plan plan) {
    List<MemberAddress> all = network.members();
    MemberAddress address = all.get(member);
    Stream<String> own =
        Stream.of(
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
    Stream<String> witness =
        plan.witness() == null ? Stream.of() : Stream.of("--witness=" + plan.witness());
    return Stream.of(own, witness, plan.more().stream()).flatMap(each -> each).toList();
  }

  /** Starts all members and waits until they are in sync in every group. */
  public void start(Duration timeout) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      member.start();
    }
    for (GroupEvents of : events.values()) {
      of.awaitInSync(timeout);
    }
  }

  /** Whether the JVM can write an archive of the classes of members: they must be in jars. */
  public static boolean mayArchive() {
    return Stream.of(ChildJvm.ownClassPath().split(File.pathSeparator))
        .allMatch(each -> Files.isRegularFile(Path.of(each)));
  }

  /** The flag of members that have an archive of their classes. */
  public static String archiveFlag(Path archive) {
    return "-XX:SharedArchiveFile=" + archive;
  }

  /**
   * Starts all members and stops them, for an archive of the classes that the primary of the only
   * group has loaded by then. All later starts use it.
   *
   * @param work what the group does meanwhile, given its primary
   */
  public void archiveClasses(Duration timeout, Work work) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      member.useFlags(
          List.of("-XX:ArchiveClassesAtExit=" + archive(member.name()), "-Xlog:cds*=off"));
    }
    start(timeout);
    String primary = events().awaitInSync(timeout).member();
    work.run(primary);
    stop(primary);
    Path archive = archive(primary);
    if (!Files.exists(archive)) {
      throw new IOException("the JVM of member " + primary + " wrote no archive " + archive);
    }
    members.forEach(member -> member.useFlags(List.of(archiveFlag(archive))));
  }

  private Path archive(String name) {
    return directory.resolve(name + ".jsa");
  }

  /** What a group is made to do. */
  public interface Work {
    void run(String primary) throws IOException, InterruptedException;
  }

  /** The events of the only group. */
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

  /** The first member that is not this one: of two, the backup of a primary. */
  public MemberProcess backup(MemberProcess primary) {
    return members.stream().filter(member -> member != primary).findFirst().orElseThrow();
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

  /** Compares the common part of the first two members' logs; members may be running. */
  public GroupLogs.Comparison compareLogs() {
    return compareLogs(GroupOptions.DEFAULT_NAME, 1);
  }

  /** Compares the common part of a member's log of a group and that of the first member. */
  public GroupLogs.Comparison compareLogs(String group, int member) {
    return GroupLogs.compare(data(0).resolve(group), data(member).resolve(group));
  }

  private Path data(int member) {
    return directory.resolve(network.members().get(member).name());
  }

  /** Stops all members one after the other, the given one last. */
  public void stop(String last) throws IOException, InterruptedException {
    for (MemberProcess member : members) {
      if (!member.name().equals(last)) {
        member.stop();
      }
    }
    member(last).stop();
  }

  /** Removes data and output. No member may be running. */
  public void removeFiles() throws IOException {
    Directories.delete(directory);
  }

  @Override
  public void close() {
    members.forEach(MemberProcess::close);
    network.close();
  }
}
