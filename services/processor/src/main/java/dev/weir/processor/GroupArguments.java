package dev.weir.processor;

import dev.weir.cluster.GroupOptions;
import java.util.List;
import picocli.CommandLine.Option;

/** What members and drivers must agree on. */
final class GroupArguments {
  private static final int CLIENT_PORT = 7701;

  @Option(
      names = "--group",
      split = ",",
      defaultValue = GroupOptions.DEFAULT_NAME,
      description =
          "Name of the group; ${DEFAULT-VALUE} by default. A member may run several, whose"
              + " primaries are spread over the members.")
  List<String> groups;

  @Option(
      names = "--members",
      split = ",",
      defaultValue = "a,b",
      description = "Names of its members, the same list for all; ${DEFAULT-VALUE} by default.")
  List<String> members;

  /** Where a member takes clients unless it is told otherwise. */
  static int clientPort(int member) {
    return CLIENT_PORT + member;
  }
}
