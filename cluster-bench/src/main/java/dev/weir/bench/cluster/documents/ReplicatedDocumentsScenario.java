package dev.weir.bench.cluster.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import dev.weir.group.ShardOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures documents that are replicated over three members and persisted on two at least. */
public final class ReplicatedDocumentsScenario implements Scenario {
  private static final String NAME = "documents";

  /** Setting: shards of the factory. */
  private static final String SHARDS = "documents.shards";

  private static final int DEFAULT_SHARDS = 3;
  private static final int QUICK_DOCUMENTS = 1_000;

  /** So many that creating and deleting them takes two seconds in all rounds. */
  private static final int FULL_DOCUMENTS = 20_000;

  private static final int QUICK_UPDATES = 5;
  private static final int FULL_UPDATES = 2;

  /** Rounds before the one that says how long a round takes. */
  private static final int TIMED_ROUNDS = 3;

  private static final int QUICK_ROUNDS = 5;
  private static final double NS_PER_S = 1e9;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "Documents of "
            + DocumentAction.JSON_BYTES
            + " bytes of JSON on three members of documents.jar, each a process. A write is"
            + " answered when at least two members have it in the operating system. The client is"
            + " a fourth process, with "
            + StoreClient.IN_FLIGHT
            + " operations without an answer. Path weir-bus: each operation is a message of the"
            + " event bus, to any member. Path weir-factory: the client has the factory by"
            + " ReplicatedFactories.connect, and writes what waits to the primary of a shard at"
            + " once. Each round creates "
            + QUICK_DOCUMENTS
            + " documents, "
            + FULL_DOCUMENTS
            + " in the full profile (post), changes each of them by a merge patch (patch), replaces each"
            + " (put), and deletes them (delete), as Xenon's test of replication does. A deletion"
            + " must find the version that all answered changes together have made, and the last"
            + " content. "
            + Doubts.CLIENT_PERCENT
            + ": CPU time of the client's thread. System properties of Xenon's tests: serviceCount,"
            + " updateCount or requestCount, testDurationSeconds, totalOperationLimit,"
            + " isStressTest.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    int shards = (int) context.number(SHARDS, DEFAULT_SHARDS, 1, ShardOptions.MAX_SHARDS);
    SeedParameters parameters = SeedParameters.ofSystem();
    int byDefault = context.profile().pick(QUICK_DOCUMENTS, FULL_DOCUMENTS);
    int asked = parameters.serviceCount() == 0 ? byDefault : parameters.serviceCount();
    int documents = (int) context.scaled(asked);
    long updates =
        parameters.updateCount() == 0
            ? context.profile().pick(QUICK_UPDATES, FULL_UPDATES)
            : parameters.updateCount();
    try (DataDirectory data = context.dataDirectory();
        StoreProcesses store = new StoreProcesses(data.path(), shards)) {
      store.awaitWhole();
      try (StoreClient client =
          new StoreClient(store, data.path().resolve("client"), parameters, documents)) {
        for (StoreClient.Way way : StoreClient.Way.values()) {
          Work work = new Work(client, way, documents, updates);
          report(context, work, shards, work.measure(context, parameters));
        }
      }
    }
  }

  /** The rounds of all actions on so many documents. */
  private record Work(StoreClient client, StoreClient.Way way, int documents, long updates) {
    private long operations(DocumentAction action) {
      return action.isUpdate() ? documents * updates : documents;
    }

    private List<Measurement> measure(RunContext context, SeedParameters parameters)
        throws Exception {
      int count = rounds(context, parameters);
      // Four JVMs need so many to be warm.
      Rounds rounds = context.rounds(count).lasting(Duration.ZERO).warmUps(QUICK_ROUNDS);
      for (DocumentAction action : DocumentAction.values()) {
        rounds.add(
            () -> client.round(way, action, operations(action)), () -> client.warm(way, action));
      }
      return rounds.measure(NAME);
    }

    /** As many as the limit of operations and the time allow. */
    private int rounds(RunContext context, SeedParameters parameters) throws Exception {
      long perRound = 2L * documents + 2 * documents * updates;
      long limit = parameters.totalOperationLimit();
      long most = limit == 0 ? Integer.MAX_VALUE : Math.max(1, limit / perRound);
      if (parameters.testDurationSeconds() == 0) {
        int byDefault = context.profile().pick(QUICK_ROUNDS, RunContext.ROUNDS);
        return (int) (limit == 0 ? byDefault : most);
      }
      RoundResult one = null;
      for (int i = 0; i < TIMED_ROUNDS; i++) {
        one = null;
        for (DocumentAction action : DocumentAction.values()) {
          RoundResult next = client.round(way, action, operations(action));
          one = one == null ? next : one.then(next);
        }
      }
      long asked = parameters.duration(Duration.ZERO).toNanos() / Math.max(1, one.elapsedNs());
      return (int) Math.min(most, Math.max(1, asked));
    }
  }

  private static void report(RunContext context, Work work, int shards, List<Measurement> measured)
      throws Exception {
    Verdict empty = work.client().counts(0);
    List<String> lines = new ArrayList<>();
    long total = 0;
    for (int i = 0; i < measured.size(); i++) {
      DocumentAction action = DocumentAction.values()[i];
      Measurement of = measured.get(i);
      Row row =
          context
              .row(of)
              .caseName(action.toString())
              .path(work.way().path())
              .flush("os")
              .payloadBytes(DocumentAction.JSON_BYTES)
              .inFlight(Math.min(StoreClient.IN_FLIGHT, of.operations()))
              .extra("documents", work.documents())
              .extra("shards", shards)
              .extra("members", StoreProcesses.NAMES.size())
              .extra("minInSync", StoreProcesses.MIN_IN_SYNC)
              .extra("ackLevel", "persisted on two members at least")
              .extra("processes", 1 + StoreProcesses.NAMES.size())
              .extra("childFlags", StoreProcesses.flags())
              .column("client", "outside")
              .column(Doubts.CLIENT_PERCENT, work.client().busyPercent(work.way(), action))
              .and(empty);
      context.report(row);
      long elapsedNs = of.rounds().stream().mapToLong(RoundResult::elapsedNs).sum();
      total += of.sent();
      lines.add(
          String.format(
              Locale.ROOT,
              " [Total ops for %s: %d, Throughput (ops/sec): %f]",
              action.name(),
              of.sent(),
              of.sent() * NS_PER_S / Math.max(1, elapsedNs)));
    }
    context.note(" [doReplication][" + work.way().path() + "][Total operations: " + total + "]");
    lines.forEach(context::note);
  }
}
