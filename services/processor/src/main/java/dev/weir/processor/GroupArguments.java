package dev.weir.processor;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Placement;
import java.util.List;
import java.util.Map;
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

  @Option(
      names = "--witness",
      description =
          "Name of the member that only votes and holds no cars, one of three; none by default."
              + " All members and drivers need the same.")
  String witness;

  /**
   * For each group its members, the preferred one first and the witness last.
   *
   * @throws IllegalArgumentException if members and witness do not go together
   */
  Map<String, List<String>> placement() {
    return Placement.spread(groups, members, witness);
  }

  /** The port on which a member accepts clients by default. */
  static int clientPort(int member) {
    return CLIENT_PORT + member;
  }

  /** Where members accept clients by default, each {@code host:port}; a witness accepts none. */
  List<String> clientAddresses(String host) {
    return IntStream.range(0, members.size())
        .filter(i -> !members.get(i).equals(witness))
        .mapToObj(i -> host + ":" + clientPort(i))
        .toList();
  }
}
