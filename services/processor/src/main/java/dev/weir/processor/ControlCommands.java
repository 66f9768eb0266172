package dev.weir.processor;

import dev.weir.cluster.GroupOptions;
import dev.weir.launcher.ExitCodes;
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
      description = "Shows the groups of a running member: roles, who is in sync, and why.")
  static final class Status extends Asking {
    @Override
    String question() {
      return GroupControl.STATUS;
    }
  }

  /** The command {@code step-down}. */
  @Command(
      name = GroupControl.STEP_DOWN,
      mixinStandardHelpOptions = true,
      description = "Has a running primary hand its role to another member in sync.")
  static final class StepDown extends Asking {
    @Option(
        names = "--group",
        defaultValue = GroupOptions.DEFAULT_NAME,
        description = "Name of the group, ${DEFAULT-VALUE} by default.")
    private String group;

    @Override
    String question() {
      return GroupControl.STEP_DOWN + " " + group;
    }
  }
}
