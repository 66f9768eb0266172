package dev.weir.processor;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Which member of the groups a command is about, and where it keeps its logs. */
final class MemberArguments {
  @Option(names = "--name", required = true, description = "Which of the members this one is.")
  String name;

  @Option(
      names = "--data",
      description =
          "Directory of the logs, of this member alone; by default data/ and the member's name.")
  private Path data;

  Path directory() {
    return data == null ? Path.of("data", name) : data;
  }

  /**
   * Its place among the members.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  int index(List<String> members) {
    int index = members.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "--name is " + name + ", allowed is one of --members, " + members);
    }
    return index;
  }
}
