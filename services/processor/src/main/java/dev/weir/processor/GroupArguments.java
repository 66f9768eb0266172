package dev.weir.processor;

import dev.weir.cluster.GroupOptions;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The options that name the groups and their members; members and drivers must agree on them. */
class GroupArguments {
  private static final int CLIENT_PORT = 7701;

  @Option(
      names = "--group",
      split = ",",
      defaultValue = GroupOptions.DEFAULT_NAME,
      description =
          "Name of the group, ${DEFAULT-VALUE} by default. A member can run several groups; their"
              + " primaries are spread over the members.")
  List<String> groups;

  @Option(
      names = "--members",
      split = ",",
      defaultValue = "a,b",
      description =
          "Names of the group's members, ${DEFAULT-VALUE} by default. All members and drivers need"
              + " the same list.")
  List<String> members;

  /** The port on which a member accepts clients by default. */
  static int clientPort(int member) {
    return CLIENT_PORT + member;
  }

  /** Where all members accept clients by default, each {@code host:port}. */
  List<String> clientAddresses(String host) {
    return IntStream.range(0, members.size()).mapToObj(i -> host + ":" + clientPort(i)).toList();
  }
}
