package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.Profile;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.report.Row;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Measures documents in one process: replaced and created, in memory and on disk. */
public final class DocumentsScenario implements Scenario {
  private static final String NAME = "documents";
  private static final int PREHEAT_PASSES = 10;
  private static final long OPERATIONS = 20_000;
  private static final Duration ROW = Duration.ofSeconds(2);

  private static final List<DocumentWork> QUICK =
      List.of(DocumentWork.PUT_MEMORY, DocumentWork.PUT_PERSISTED, DocumentWork.POST_PERSISTED);

  /** Each in a store of its own: what is created stays in the heap, and others would pay for it. */
  private static final List<List<DocumentWork>> APART =
      List.of(
          List.of(DocumentWork.PUT_MEMORY),
          List.of(DocumentWork.PUT_PERSISTED, DocumentWork.PUT_INTERVAL),
          List.of(DocumentWork.POST_PERSISTED, DocumentWork.POST_IMMUTABLE));

  /** Heaps of child processes, in MiB. */
  private static final List<Integer> HEAPS = List.of(64, 2_048, 4_096);

  @Override
  public About about() {
    return About.headline(
        NAME,
        "Documents of weir-state, no sockets: the requester is an event loop in the process of the"
            + " store, with "
            + LocalDocuments.IN_FLIGHT
            + " operations without an answer. A document is a JsonObject of "
            + LocalDocuments.JSON_BYTES
            + " bytes as JSON; it is serialized once, at the call. put: replaces one of 128"
            + " documents in turn. post: creates a document. memory: never on disk. persisted,"
            + " immutable: answered when it is in the operating system. interval: answered at once,"
            + " committed every 5 s. Full profile: also in processes with a heap of their own"
            + " (heapMiB). xFloor: over what one would write without a store, round by round, for the"
            + " same requester and encoded bodies. map: a ConcurrentHashMap. je: JE and a thread that"
            + " commits all that waits, in one transaction, to the operating system. The floors have no"
            + " versions, conditions, queries or limits. The version of each document must be the number of puts to it. System"
            + " properties of Xenon's tests: serviceCount, updateCount or requestCount,"
            + " testDurationSeconds, totalOperationLimit, isStressTest.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    SeedParameters parameters = SeedParameters.ofSystem();
    List<DocumentWork> works = context.profile().pick(QUICK, List.of(DocumentWork.values()));
    List<List<DocumentWork>> stores =
        APART.stream()
            .map(apart -> apart.stream().filter(works::contains).toList())
            .filter(some -> !some.isEmpty())
            .toList();
    for (List<DocumentWork> some : stores) {
      try (DataDirectory data = context.dataDirectory();
          DataDirectory floorData = context.dataDirectory();
          LocalDocuments documents = new LocalDocuments(data.path(), parameters);
          DocumentFloor floor = new DocumentFloor(floorData.path(), parameters)) {
        new Documents(context, parameters, some, documents, 0).measure(floor);
      }
    }
    boolean inProcesses = context.isFirstJvm() && context.profile() == Profile.FULL;
    for (int heapMiB : inProcesses ? HEAPS : List.<Integer>of()) {
      for (List<DocumentWork> some : stores) {
        try (DataDirectory data = context.dataDirectory();
            ChildDocuments documents =
                new ChildDocuments(data.path(), ChildDocuments.heap(heapMiB))) {
          new Documents(context, parameters, some, documents, heapMiB).measure(null);
        }
      }
    }
  }

  /**
   * The documents of one process.
   *
   * @param heapMiB 0 for the process of the benchmark
   */
  private record Documents(
      RunContext context,
      SeedParameters parameters,
      List<DocumentWork> works,
      DocumentLoop documents,
      int heapMiB) {
    private boolean isOwn() {
      return heapMiB == 0;
    }

    private long operations() {
      return context.scaled(parameters.operations(OPERATIONS));
    }

    /**
     * @param floor null for none
     */
    void measure(DocumentFloor floor) throws Exception {
      List<DocumentWork> floors =
          floor == null
              ? List.of()
              : works.stream()
                  .map(DocumentWork::floor)
                  .filter(Objects::nonNull)
                  .distinct()
                  .toList();
      context.preheat(PREHEAT_PASSES, documents::compiledMs, () -> pass(floor, floors));
      Rounds rounds = isOwn() ? context.headlineRounds() : context.ownRounds();
      if (parameters.testDurationSeconds() > 0) {
        rounds.lasting(parameters.duration(ROW).dividedBy(RunContext.ROUNDS));
      }
      floors.forEach(work -> rounds.add(() -> floor.round(work, operations())));
      works.forEach(work -> rounds.add(() -> documents.round(work, operations())));
      List<Measurement> measured =
          rounds.measure(NAME + " " + works + (isOwn() ? "" : " " + heapMiB + " MiB"));
      Map<DocumentWork, Row> floorRows = new EnumMap<>(DocumentWork.class);
      for (int i = 0; i < floors.size(); i++) {
        DocumentWork work = floors.get(i);
        Row row = row(measured.get(i), work, DocumentFloor.path(work)).and(floor.verdict(work));
        floorRows.put(work, row);
        context.report(row);
      }
      for (int i = 0; i < works.size(); i++) {
        DocumentWork work = works.get(i);
        Row row = row(measured.get(floors.size() + i), work, "weir").and(documents.verdict(work));
        if (work.floor() != null && floorRows.containsKey(work.floor())) {
          row.over(floorRows.get(work.floor()), "xFloor");
        }
        context.report(isOwn() ? row : row.column("heapMiB", heapMiB));
      }
    }

    private void pass(DocumentFloor floor, List<DocumentWork> floors) throws Exception {
      for (DocumentWork work : floors) {
        floor.round(work, operations());
      }
      for (DocumentWork work : works) {
        documents.round(work, operations());
      }
    }

    private Row row(Measurement measured, DocumentWork work, String path) {
      return context
          .row(measured)
          .caseName(isOwn() ? work.toString() : work + " in " + heapMiB + " MiB")
          .path(path)
          .payloadBytes(LocalDocuments.JSON_BYTES)
          .inFlight(LocalDocuments.IN_FLIGHT)
          .extra("documents", parameters.documents())
          .extra("durability", work.durability());
    }
  }
}
