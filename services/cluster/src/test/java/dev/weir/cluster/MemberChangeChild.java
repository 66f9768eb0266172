package dev.weir.cluster;

import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A member of a group as a process of its own. It does what it finds in the file {@code command} of
 * its directory, and says what became of that; it says each change of its state.
 */
final class MemberChangeChild {
  static final String MADE = "made ";
  static final String NOT_MADE = "not made ";
  private static final long PAUSE_NS = 10_000_000;

  private MemberChangeChild() {}

  /**
   * @param args name, ports of Hazelcast of all, the own one, client port, directory, members,
   *     transport
   */
  public static void main(String[] args) throws IOException {
    List<String> join = Stream.of(args[1].split(",")).map(port -> "127.0.0.1:" + port).toList();
    Path directory = Path.of(args[4]);
    ClusterNode node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName(args[0])
                .setPort(Integer.parseInt(args[2]))
                .setJoin(join)
                .setDirectory(directory));
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of(args[5].split(",", -1)))
            .setReplication(Replication.valueOf(args[6]))
            // A busy machine changes no roles; a member that is killed is lost at once.
            .setLeaseMs(3_000)
            .setTakeoverMs(6_000)
            .setMaxMessageBytes(1_024)
            .setSnapshotBytes(1 << 20);
    ClientEndpoint endpoint = new ClientEndpoint(Vertx.vertx());
    ProcessorGroup group = start(node, options, endpoint);
    endpoint.serve(group);
    Futures.result("clients", endpoint.listen("127.0.0.1", Integer.parseInt(args[3])));
    String said = "";
    while (true) {
      GroupStats stats = group.stats();
      String state =
          "state "
              + stats.role()
              + " "
              + stats.inSync()
              + " "
              + stats.accepting()
              + " "
              + group.members()
              + " "
              + stats.reason();
      if (!state.equals(said)) {
        System.out.println(state);
        said = state;
      }
      Path file = directory.resolve("command");
      if (Files.exists(file)) {
        String command = Files.readString(file);
        Files.delete(file);
        if (command.equals("close")) {
          group.close();
          node.close();
          System.out.println("closed");
          System.exit(0);
        }
        run(group, command.split(" "));
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  private static ProcessorGroup start(
      ClusterNode node, GroupOptions options, ClientEndpoint endpoint) {
    try {
      return node.group(options)
          .processor(new SumProcessor())
          .replies(endpoint.replies(options.getName()))
          .start();
    } catch (IllegalStateException e) {
      System.out.println("does not start: " + e.getMessage());
      System.exit(1);
      throw e;
    }
  }

  private static void run(ProcessorGroup group, String[] words) {
    try {
      CompletionStage<List<String>> change =
          switch (words[0]) {
            case "add" -> group.add(words[1]);
            case "remove" -> group.remove(words[1]);
            default -> group.replace(words[1], words[2]);
          };
      change.whenComplete(
          (members, failure) ->
              System.out.println(failure == null ? MADE + members : NOT_MADE + failure));
    } catch (IllegalArgumentException | IllegalStateException e) {
      System.out.println(NOT_MADE + e.getMessage());
    }
  }
}
