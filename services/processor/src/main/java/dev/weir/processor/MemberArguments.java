package dev.weir.processor;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that name a group and one of its members, and the directory of its logs. */
class MemberArguments extends GroupArguments {
  @Option(names = "--name", required = true, description = "Name of this member.")
  String name;

  @Option(
      names = "--data",
      description = "Directory of this member's logs, data/NAME by default. No other may share it.")
  private Path data;

  Path directory() {
    return data == null ? Path.of("data", name) : data;
  }

  /**
   * This member's place in the list of members.
   *
   * @throws IllegalArgumentException if the list does not contain it
   */
  int index() {
    int index = members.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "--name is " + name + ", allowed is one of --members, " + members);
    }
    return index;
  }
}
