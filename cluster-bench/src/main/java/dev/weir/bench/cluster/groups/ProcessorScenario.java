package dev.weir.bench.cluster.groups;

import dev.weir.bench.Measurement;
import dev.weir.bench.Preheat;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.floors.RelayFloor;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.MemberProcess.Figures;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.LoopbackNetwork;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.cluster.GroupLogs;
import dev.weir.processor.Encoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Measures one, two and four groups on the same two members. */
public final class ProcessorScenario implements Scenario {
  static final String NAME = "processor";

  /** Setting: numbers of groups, separated by commas. */
  static final String GROUPS = "processor.groups";

  /** Setting: replications, separated by commas. */
  static final String REPLICATION = "processor.replication";

  private static final int MOST_GROUPS = 64;
  private static final int RATE_PER_SEC = 10_000;
  private static final int WINDOW = 4 << 10;
  private static final int FIRST = 100;

  /** So often at most is each kind of load repeated until the compilers of all are idle. */
  private static final int PREHEAT_PASSES = 10;

  /** Of a pass in which nothing is sent: load leaves the compilers no CPU. */
  private static final long PREHEAT_REST_MS = 500;

  private static final int CLIENT_WINDOW = 16 << 10;
  private static final Duration START = Duration.ofSeconds(180);

  @Override
  public About about() {
    return About.headline(
        NAME,
        "Groups of processors on two members in processes of their own: event sourcing,"
            + " logs on disk. A message is acknowledged when the backup has written it to the"
            + " operating system. Group threads and links block. The primaries are spread over"
            + " the members. The driver is a third process with one client for each group; one"
            + " thread sends, another takes replies. throughput: closed loop, "
            + WINDOW
            + " cars without a reply in all groups together. latency: "
            + RATE_PER_SEC
            + " cars/s in all groups together, from the intended time. relay: a message"
            + " takes the same way without Weir. One process writes it to a file and sends it to a"
            + " second process, which writes it to a file and confirms that; then the first one"
            + " answers the driver. It takes turns with one group, and several groups have no such"
            + " floor. xFloor, xp50, xp99, xp99.9: over"
            + " those of the relay, round by round. relay of Vert.x: the same work with a client and"
            + " a first process that are of Vert.x; with the full profile, beside one group over TCP. "
            + Doubts.CLIENT_PERCENT
            + ": share of the time in which the driver did not wait; above "
            + Math.round(Doubts.MOST_CLIENT_PERCENT)
            + " the driver is the bottleneck. Every byte of every reply is checked. A reply also"
            + " contains the number of its car in the group. Replies must come in the order of"
            + " requests, except replies to requests that were sent again. At the end the two logs"
            + " of each group are compared byte for byte.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    String counts = context.profile().pick("1", "1,2,4");
    List<String> replications =
        context.options(
            REPLICATION, context.profile().pick("tcp", "tcp,hazelcast"), ProcessCluster.LINKS);
    List<Integer> allowed = IntStream.rangeClosed(1, MOST_GROUPS).boxed().toList();
    try (RelayFloor relay = relay(context, RelayFloor.Kind.BLOCKING)) {
      for (String replication : replications) {
        for (String groups : context.options(GROUPS, counts, allowed)) {
          boolean first = replication.equals(replications.get(0));
          Case one = new Case(context, relay, first, replication, Integer.parseInt(groups));
          if (context.isFirstJvm() || one.isHeadline()) {
            one.run();
          }
        }
      }
    }
    context.note(
        "Driver and both members share "
            + Runtime.getRuntime().availableProcessors()
            + " CPUs: more groups add throughput only where there are CPUs left.");
  }

  private static RelayFloor relay(RunContext context, RelayFloor.Kind kind) throws Exception {
    return RelayFloor.start(context, kind, context.scaled(20_000, 200_000), WINDOW, RATE_PER_SEC);
  }

  /** A number of groups on one pair of members. */
  private static final class Case {
    private final RunContext context;
    private final RelayFloor relay;
    private final boolean first;
    private final String replication;
    private final List<String> groups;
    private final Map<String, Figures> before = new LinkedHashMap<>();

    /**
     * @param first whether no other replication has been measured with this relay
     */
    Case(RunContext context, RelayFloor relay, boolean first, String replication, int groups) {
      this.context = context;
      this.relay = relay;
      this.first = first;
      this.replication = replication;
      this.groups = IntStream.rangeClosed(1, groups).mapToObj(i -> "g" + i).toList();
    }

    @Override
    public String toString() {
      return replication + " groups " + groups.size();
    }

    /** Whether page one has it. */
    boolean isHeadline() {
      return replication.equals("tcp") && groups.size() == 1;
    }

    void run() throws Exception {
      Path directory = context.outputDir().resolve("data-processor");
      ProcessCluster.Plan plan = new ProcessCluster.Plan(groups, replication, 1);
      try (ProcessCluster cluster =
          new ProcessCluster(new LoopbackNetwork(ProcessCluster.NAMES), directory, plan)) {
        cluster.start(START);
        List<Row> rows = new ArrayList<>();
        long sent = measure(cluster, rows);
        Verdict logs = compare(cluster, sent);
        rows.forEach(row -> context.report(row.and(logs)));
        if (logs.isOk()) {
          cluster.removeFiles();
        }
      }
    }

    private long measure(ProcessCluster cluster, List<Row> rows) throws Exception {
      try (GroupsDriver driver = new GroupsDriver(groups, cluster.addresses(), CLIENT_WINDOW)) {
        int share = WINDOW / Integer.highestOneBit(groups.size());
        double rate = (double) RATE_PER_SEC / groups.size();
        long saturated = perGroup(20_000, 200_000);
        long paced = perGroup(RATE_PER_SEC / 2, isHeadline() ? RATE_PER_SEC : RATE_PER_SEC / 2);
        // A first round finds the primaries and makes members start the threads of their pools.
        driver.run(FIRST, 0, 1);
        context.preheat(
            PREHEAT_PASSES,
            () -> compiledMs(cluster),
            () -> {
              driver.run(saturated, 0, share);
              driver.run(paced, rate, share);
              Thread.sleep(PREHEAT_REST_MS);
            });
        int window = share * groups.size();
        List<RelayFloor> floors = new ArrayList<>(hasFloor() ? List.of(relay) : List.of());
        Rounds closed = rounds();
        floors.forEach(floor -> closed.add(() -> floor.saturated(saturated, window)));
        Row throughput =
            measure(
                cluster,
                driver,
                OptimizeFor.THROUGHPUT,
                closed,
                floors,
                () -> driver.run(saturated, 0, share),
                rows);
        if (hasFloor()) {
          rows.get(0).inFlight(window);
        }
        throughput.inFlight(window).column(Doubts.CLIENT_PERCENT, driver.busyPercent());
        try (RelayFloor vertx = hasFloorOfVertx() ? relay(context, RelayFloor.Kind.VERTX) : null) {
          if (vertx != null) {
            floors.add(vertx);
          }
          Rounds open = rounds();
          floors.forEach(
              floor -> open.add(() -> floor.paced(paced, RATE_PER_SEC), floor.latencies()));
          measure(
              cluster,
              driver,
              OptimizeFor.LATENCY,
              open,
              floors,
              () -> driver.run(paced, rate, share),
              rows);
        }
        return driver.sentToEach();
      }
    }

    /** The relay has one connection and one primary, which is less work than several groups. */
    private boolean hasFloor() {
      return groups.size() == 1;
    }

    private boolean hasFloorOfVertx() {
      return isHeadline() && context.profile().pick(false, true);
    }

    private Rounds rounds() {
      return isHeadline() ? context.headlineRounds() : context.ownRounds();
    }

    private long perGroup(long quick, long full) {
      return Math.max(1, context.scaled(quick, full) / groups.size());
    }

    /**
     * Adds a row of each relay and one of the groups.
     *
     * @param rounds have the relays first
     * @return the row of the groups
     */
    private Row measure(
        ProcessCluster cluster,
        GroupsDriver driver,
        OptimizeFor optimize,
        Rounds rounds,
        List<RelayFloor> floors,
        Rounds.Round round,
        List<Row> rows)
        throws Exception {
      before.clear();
      List<Measurement> measured =
          rounds
              .add(round, driver.latencies().recording(), () -> warm(cluster, driver))
              .measure(this + " " + optimize);
      Row row =
          context
              .row(measured.get(measured.size() - 1))
              .caseName("es " + optimize + ", groups " + groups.size())
              .path(replication + " blocking")
              .body(Encoding.SBE_DIRECT.toString())
              .flush("os")
              .extra("groups", groups.size())
              .extra("opsPerSecOfGroup", ofGroups(driver))
              .extra("repliesOvertaken", driver.overtaken())
              .extra("requestsSentAgain", driver.sentAgain())
              .extra("processes", 1 + cluster.members().size())
              .extra("minInSync", 1)
              .extra("ackLevel", "persisted on both")
              .extra("primaries", primaries(cluster))
              .extra("childFlags", MemberProcess.flags())
              .column("client", "outside");
      for (int i = 0; i < floors.size(); i++) {
        String load = optimize == OptimizeFor.THROUGHPUT ? " throughput" : "";
        String name = floors.get(i) == relay ? "relay" + load : "relay of Vert.x";
        Row relayed =
            floors
                .get(i)
                .addTo(
                    context.row(measured.get(i)).caseName(first ? name : name + " beside " + this));
        if (i == 0) {
          row.over(relayed, "xFloor");
        } else {
          relayed.over(rows.get(rows.size() - 1), "xFloor");
        }
        rows.add(relayed);
      }
      rows.add(row);
      return addThreads(row, figures(cluster));
    }

    private void warm(ProcessCluster cluster, GroupsDriver driver) {
      driver.latencies().recording().reset();
      driver.reset();
      try {
        before.putAll(figures(cluster));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static Map<String, Figures> figures(ProcessCluster cluster)
        throws IOException, InterruptedException {
      Map<String, Figures> figures = new LinkedHashMap<>();
      for (MemberProcess member : cluster.members()) {
        figures.put(member.name(), member.figures());
      }
      return figures;
    }

    private static long compiledMs(ProcessCluster cluster) {
      try {
        return Preheat.compiledMs()
            + figures(cluster).values().stream().mapToLong(Figures::compiledMs).sum();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      }
    }

    private Row addThreads(Row row, Map<String, Figures> after) {
      Map<String, Object> alive = new LinkedHashMap<>();
      long started = 0;
      for (Map.Entry<String, Figures> member : after.entrySet()) {
        alive.put(member.getKey(), member.getValue().liveThreads());
        started +=
            member.getValue().startedThreads() - before.get(member.getKey()).startedThreads();
      }
      return row.extra("threadsOfMember", alive).column("threadsStarted", started);
    }

    private static Map<String, Object> ofGroups(GroupsDriver driver) {
      Map<String, Object> medians = new LinkedHashMap<>();
      driver
          .perSec()
          .forEach(
              (group, rounds) -> {
                double[] each = rounds.stream().mapToDouble(Double::doubleValue).toArray();
                medians.put(group, each.length == 0 ? 0 : Spread.of(each).median());
              });
      return medians;
    }

    private Map<String, Object> primaries(ProcessCluster cluster)
        throws IOException, InterruptedException {
      Map<String, Object> primaries = new LinkedHashMap<>();
      for (String group : groups) {
        primaries.put(group, cluster.events(group).awaitInSync(START).member());
      }
      return primaries;
    }

    /** Stops the members and compares the logs: both must have each car once. */
    private Verdict compare(ProcessCluster cluster, long sent)
        throws IOException, InterruptedException {
      Verdict verdict = Verdict.ok();
      for (String group : groups) {
        cluster.events(group).awaitInSync(START);
      }
      cluster.stop(ProcessCluster.NAMES.get(0));
      for (String group : groups) {
        GroupLogs.Comparison logs = cluster.compareLogs(group, 1);
        verdict =
            verdict.unless(
                logs.isSame() && logs.to() == sent,
                group + ": " + sent + " cars were sent, the logs are " + logs);
      }
      return verdict;
    }
  }
}
