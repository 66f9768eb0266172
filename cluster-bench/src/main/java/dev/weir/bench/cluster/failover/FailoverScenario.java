package dev.weir.bench.cluster.failover;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.cluster.steady.TimelineText;
import dev.weir.bench.program.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Measures what a group and its clients notice when members or their network fail. */
public final class FailoverScenario implements Scenario {
  static final String NAME = "failover";

  /** Setting: rounds of each fault. */
  static final String ROUNDS = "failover.rounds";

  /** Setting: faults, separated by commas. */
  static final String FAULTS = "failover.faults";

  /** Setting: replications, separated by commas. */
  static final String REPLICATION = "failover.replication";

  /** Setting: cars per second. */
  static final String RATE = "failover.rate";

  private static final String WITHOUT_ROOT =
      "root may make network namespaces, and so may others who run this command by: unshare -Urnm"
          + " sh -c 'mount -t tmpfs tmpfs /run && ip link set lo up && exec COMMAND'";

  private static final int RATE_PER_SEC = 10_000;
  private static final int MOST_PER_SEC = 10_000_000;
  private static final int MOST_ROUNDS = 1_000;
  private static final long CALM_MS = 500;
  private static final int FULL_ROUNDS = 6;

  /** Groups that share the rounds of a fault of page one: two JVMs compile code in two ways. */
  private static final int GROUPS = 3;

  @Override
  public About about() {
    return About.of(
        NAME,
        "Two members in processes of their own: event sourcing, logs on disk. A message"
            + " is acknowledged when the backup has written it to the operating system; one"
            + " member alone may continue. A driver sends "
            + RATE_PER_SEC
            + " cars/s and checks every reply; latency counts from the intended time. kill:"
            + " kill -9 of the primary, which is started again when the other member is"
            + " primary. stop: SIGSTOP of the primary, then SIGCONT. cut: the link between the"
            + " members drops everything for a while. Without network namespaces, proxies"
            + " between the members forward nothing for a while. Clients reach both members."
            + " backup-kill, backup-stop: the same faults of the backup. both-kill: kill -9 of both"
            + " at once, then both are started; its members have an archive of their classes, if these"
            + " are in jars, and a snapshot after each "
            + (FailoverPlan.SNAPSHOT_BYTES >> 20)
            + " MiB of log. witness-kill, witness-stop, witness-backup-stop: a"
            + " third process votes, and holds no messages. These six are measured in the full"
            + " profile over TCP, or by their names. Full profile: "
            + GROUPS
            + " groups, one after another, share the rounds of kill, stop and cut, and the first"
            + " fault of each group is checked and not measured. A request that goes only to the"
            + " old primary must not be answered. After every round both logs are compared byte for"
            + " byte. Outage: the longest time without any reply. A lost or duplicated car or a difference of the logs fails the row;"
            + " an outage fails nothing.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    boolean isLong = context.profile().pick(false, true);
    int ratePerSec = (int) context.number(RATE, RATE_PER_SEC, 1, MOST_PER_SEC);
    int count = (int) context.number(ROUNDS, isLong ? FULL_ROUNDS : 1, 1, MOST_ROUNDS);
    List<String> replications =
        context.options(
            REPLICATION, context.profile().pick("tcp", "tcp,hazelcast"), ProcessCluster.LINKS);
    for (String replication : replications) {
      boolean all = isLong && replication.equals("tcp");
      for (Fault fault : faults(context, all ? List.of(Fault.values()) : Fault.BY_DEFAULT)) {
        int groups = isLong && Fault.BY_DEFAULT.contains(fault) ? GROUPS : 1;
        measure(
            context,
            shares(count, groups).stream()
                .map(
                    share ->
                        new FailoverPlan(fault, replication, share, ratePerSec, isLong, CALM_MS))
                .toList());
      }
    }
  }

  /** Shares rounds out to so many groups at most, at least one to each. */
  static List<Integer> shares(int rounds, int mostGroups) {
    int groups = Math.min(mostGroups, rounds);
    return IntStream.range(0, groups).mapToObj(group -> (rounds + group) / groups).toList();
  }

  private static List<Fault> faults(RunContext context, List<Fault> byDefault) {
    return context
        .option(FAULTS)
        .map(
            names ->
                Arrays.stream(names.split(","))
                    .map(name -> Names.parse(Fault.class, "fault", name))
                    .toList())
        .orElse(byDefault);
  }

  /** Measures groups with the same plan but for the number of rounds. */
  private static void measure(RunContext context, List<FailoverPlan> plans)
      throws IOException, InterruptedException {
    FailoverPlan plan = plans.get(0);
    List<FailoverOutcome> outcomes = new ArrayList<>();
    for (FailoverPlan group : plans) {
      outcomes.add(run(context, group, 1 + outcomes.size()));
    }
    context.note(FailoverOutcome.summary(outcomes));
    FailoverOutcome worst = FailoverOutcome.worstOf(outcomes);
    if (worst.driven() != null) {
      TimelineText text = worst.timeline();
      text.write(context.outputDir().resolve("timeline-" + plan.id() + ".csv"));
      worst
          .worst()
          .map(
              round ->
                  text.chart(round.strikeNs(), round.outage(), round.endNs(), plan.ratePerSec()))
          .ifPresent(lines -> lines.forEach(context::note));
    }
    long rounds = plans.stream().mapToInt(FailoverPlan::rounds).sum();
    context.report(FailoverOutcome.addTo(context.row(), outcomes).rounds(rounds));
  }

  private static FailoverOutcome run(RunContext context, FailoverPlan plan, int number)
      throws IOException, InterruptedException {
    MemberNetwork network =
        plan.fault().network(why -> context.note(plan.id() + ": " + why + "; " + WITHOUT_ROOT));
    Path directory = context.outputDir().resolve("data-failover-" + plan.id() + "-" + number);
    ProcessCluster group =
        new ProcessCluster(
            network,
            directory,
            new ProcessCluster.Plan(
                plan.replication(), plan.fault().witness(), plan.memberArguments()));
    FailoverOutcome outcome = new FailoverRun(plan, group, context.progress()).run();
    if (outcome.verdict().isOk()) {
      group.removeFiles();
    } else {
      context.note(plan.id() + ": data and output of the members are in " + directory);
    }
    return outcome;
  }
}
