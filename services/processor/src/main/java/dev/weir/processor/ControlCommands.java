package dev.weir.processor;

import dev.weir.cluster.GroupOptions;
import dev.weir.launcher.ExitCodes;
import dev.weir.options.Checks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The commands that ask a member which runs on this machine, by its {@link ControlSocket}. */
final class ControlCommands {
  private ControlCommands() {}

  /** A command of one question. */
  abstract static class Asking implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--name", required = true, description = "Name of a member that runs here.")
    private String name;

    @Option(names = "--data", description = "Its --data, data/NAME by default.")
    private Path data;

    abstract String question();

    @Override
    public final Integer call() {
      Path directory = data == null ? Path.of("data", name) : data;
      String answer;
      try {
        answer = ControlSocket.ask(directory, question());
      } catch (IOException e) {
        say("no member that can be asked runs on " + directory + ": " + e.getMessage());
        return ExitCodes.DIRECTORY;
      }
      if (answer.startsWith(GroupControl.DONE)) {
        spec.commandLine().getOut().print(answer.substring(GroupControl.DONE.length()));
        spec.commandLine().getOut().flush();
        return ExitCodes.STOPPED;
      }
      say(answer.replaceFirst("^" + GroupControl.REFUSED, "refused: ").strip());
      return ExitCodes.FAILED;
    }

    private void say(String line) {
      spec.commandLine().getErr().println("processor: " + line);
    }
  }

  /** The command {@code status}. */
  @Command(
      name = GroupControl.STATUS,
      mixinStandardHelpOptions = true,
      description =
          "Shows the groups of a running member: roles, members, who is in sync, and why.")
  static final class Status extends Asking {
    @Override
    String question() {
      return GroupControl.STATUS;
    }
  }

  /** A command about one group. */
  abstract static class OfGroup extends Asking {
    @Option(
        names = "--group",
        defaultValue = GroupOptions.DEFAULT_NAME,
        description = "Name of the group, ${DEFAULT-VALUE} by default.")
    private String group;

    abstract String command();

    /** What follows the name of the group: words, each with a space before it. */
    String words() {
      return "";
    }

    @Override
    final String question() {
      return command() + " " + group + words();
    }
  }

  /** The command {@code step-down}. */
  @Command(
      name = GroupControl.STEP_DOWN,
      mixinStandardHelpOptions = true,
      description =
          "Has a running primary hand its role to another member in sync, and waits until that one"
              + " has it.")
  static final class StepDown extends OfGroup {
    private static final long MAX_TIMEOUT_MS = 3_600_000;

    @Option(
        names = "--timeout-ms",
        defaultValue = "30000",
        description = "How long to wait for the next primary, ${DEFAULT-VALUE} by default.")
    private long timeoutMs;

    @Override
    String command() {
      return GroupControl.STEP_DOWN;
    }

    @Override
    String words() {
      Checks.range("--timeout-ms", timeoutMs, 1, MAX_TIMEOUT_MS);
      return " " + timeoutMs;
    }
  }

  /** The command {@code add}. */
  @Command(
      name = GroupControl.ADD,
      mixinStandardHelpOptions = true,
      description =
          "Has a running primary add a member to its group. Start the member with an empty"
              + " directory, and with --members as they are after the change.")
  static final class Add extends OfGroup {
    @Option(names = "--member", required = true, description = "The member that joins.")
    private String member;

    @Option(names = "--as-witness", description = "It votes and holds no messages.")
    private boolean witness;

    @Override
    String command() {
      return witness ? GroupControl.ADD_WITNESS : GroupControl.ADD;
    }

    @Override
    String words() {
      return " " + member;
    }
  }

  /** The command {@code remove}. */
  @Command(
      name = GroupControl.REMOVE,
      mixinStandardHelpOptions = true,
      description = "Has a running primary take a member, or the witness, out of its group.")
  static final class Remove extends OfGroup {
    @Option(names = "--member", required = true, description = "The member that leaves.")
    private String member;

    @Override
    String command() {
      return GroupControl.REMOVE;
    }

    @Override
    String words() {
      return " " + member;
    }
  }

  /** The command {@code replace}. */
  @Command(
      name = GroupControl.REPLACE,
      mixinStandardHelpOptions = true,
      description = "Has a running primary give the place of a member to another one.")
  static final class Replace extends OfGroup {
    @Option(names = "--member", required = true, description = "The member that leaves.")
    private String member;

    @Option(names = "--by", required = true, description = "The member that joins.")
    private String by;

    @Override
    String command() {
      return GroupControl.REPLACE;
    }

    @Override
    String words() {
      return " " + member + " " + by;
    }
  }
}
