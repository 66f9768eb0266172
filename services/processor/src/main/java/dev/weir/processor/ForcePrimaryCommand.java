package dev.weir.processor;

import dev.weir.cluster.ForcedPrimary;
import dev.weir.launcher.ExitCodes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code force-primary}: makes a member primary without those that it waits for. */
@Command(
    name = "force-primary",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a stopped member the next primary, without the members that it waits for.",
      "Use it when a member that was in sync is lost for ever. Messages that the lost member"
          + " acknowledged and this one does not hold are lost. If the lost member returns, its log"
          + " is replaced by this member's.",
      "Without --accept-loss the command only prints the record and the log of each group. Run it"
          + " so on every remaining member, then force one: that whose log ends last, by epoch,"
          + " then by position.",
      "--name, --group, --members, --witness and --data must be the same as for run."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:this member is the next primary of the groups of --accept-loss",
      "1:refused: this member needs no force, or its log is empty",
      "2:an option is wrong, or --accept-loss is missing",
      "3:a log cannot be used: it is absent, in use or damaged"
    })
final class ForcePrimaryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private MemberArguments member;

  @Option(
      names = "--accept-loss",
      split = ",",
      paramLabel = "GROUP",
      description = "The groups to force; without it nothing is changed.")
  private Set<String> acceptLoss = new TreeSet<>();

  @Option(
      names = "--give-up-change",
      description =
          "Open a member that was taken out of its group, too. Forced, it has its place in"
              + " --members again, and who has that place now is a member no more.")
  private boolean giveUpChange;

  @Override
  public Integer call() {
    member.index();
    Map<String, List<String>> placement = member.placement();
    if (member.name.equals(member.witness)) {
      throw new IllegalArgumentException(
          "--name is " + member.name + ", allowed is a member that holds messages, not --witness");
    }
    if (!placement.keySet().containsAll(acceptLoss)) {
      throw new IllegalArgumentException(
          "--accept-loss is " + acceptLoss + ", allowed are those of --group, " + member.groups);
    }
    int worst = ExitCodes.STOPPED;
    for (Map.Entry<String, List<String>> group : placement.entrySet()) {
      worst = Math.max(worst, handle(group.getKey(), group.getValue()));
    }
    return worst;
  }

  private int handle(String group, List<String> members) {
    Path directory = member.directory().resolve(group);
    try (ForcedPrimary forced = open(directory, members)) {
      ForcedPrimary.Standing standing = forced.standing();
      print(group, directory, standing);
      out().printf("  members   %s%n", GroupControl.names(forced.members()));
      out().flush();
      boolean isAsked = acceptLoss.contains(group);
      if (!isAsked && !acceptLoss.isEmpty()) {
        return ExitCodes.STOPPED;
      }
      if (standing.refusal() != null) {
        say(member.name + " is not forced: " + standing.refusal());
        return ExitCodes.FAILED;
      }
      if (!isAsked) {
        say("--accept-loss=" + group + " is missing: " + loss(standing));
        return ExitCodes.USAGE;
      }
      out().printf("  forced    alone in sync, in epoch %d%n", forced.force().epoch());
      return ExitCodes.STOPPED;
    } catch (IllegalStateException e) {
      say(ExitCodes.line(e));
      return ExitCodes.DIRECTORY;
    } finally {
      out().flush();
    }
  }

  private ForcedPrimary open(Path directory, List<String> members) {
    return ForcedPrimary.open(directory, members, member.name, giveUpChange);
  }

  private void print(String group, Path directory, ForcedPrimary.Standing standing) {
    String vote = standing.votedFor() == null ? "" : ", voted for " + standing.votedFor();
    out().printf("group %s of member %s, %s%n", group, member.name, directory);
    out().printf("  epoch     %d%s%n", standing.epoch(), vote);
    out()
        .printf(
            "  in sync   %s, in epoch %d%n",
            GroupControl.names(standing.inSync()), standing.inSyncEpoch());
    out()
        .printf(
            "  log       position %d to %d, ends in epoch %d%n",
            standing.logStart(), standing.logEnd(), standing.logEpoch());
  }

  private String loss(ForcedPrimary.Standing standing) {
    List<String> others =
        standing.inSync().stream().filter(name -> !name.equals(member.name)).toList();
    return "what "
        + GroupControl.names(others)
        + " acknowledged from position "
        + standing.logEnd()
        + " on would be lost";
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void say(String line) {
    spec.commandLine().getErr().println("processor: " + line);
  }
}
