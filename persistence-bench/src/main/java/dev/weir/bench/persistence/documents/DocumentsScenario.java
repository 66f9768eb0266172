package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.report.Row;
import java.time.Duration;
import java.util.List;

/** Measures documents in one process: replaced and created, in memory and on disk. */
public final class DocumentsScenario implements Scenario {
  private static final String NAME = "documents";
  private static final int WARM_UPS = 4;
  private static final long OPERATIONS = 20_000;
  private static final Duration ROW = Duration.ofSeconds(2);

  private static final List<DocumentWork> QUICK =
      List.of(DocumentWork.PUT_MEMORY, DocumentWork.PUT_PERSISTED, DocumentWork.POST_PERSISTED);

  /** Heaps of child processes, in MiB. */
  private static final List<Integer> HEAPS = List.of(64, 2_048, 4_096);

  @Override
  public About about() {
    return About.of(
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
            + " (heapMiB). The version of each document must be the number of puts to it. System"
            + " properties of Xenon's tests: serviceCount, updateCount or requestCount,"
            + " testDurationSeconds, totalOperationLimit, isStressTest.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    SeedParameters parameters = SeedParameters.ofSystem();
    List<DocumentWork> works = context.profile().pick(QUICK, List.of(DocumentWork.values()));
    try (DataDirectory data = context.dataDirectory();
        LocalDocuments documents = new LocalDocuments(data.path(), parameters)) {
      measure(context, parameters, documents, works, 0);
    }
    for (int heapMiB : context.profile().pick(List.<Integer>of(), HEAPS)) {
      try (DataDirectory data = context.dataDirectory();
          ChildDocuments documents =
              new ChildDocuments(data.path(), ChildDocuments.heap(heapMiB))) {
        measure(context, parameters, documents, works, heapMiB);
      }
    }
  }

  /**
   * @param heapMiB 0 for the process of the benchmark
   */
  private static void measure(
      RunContext context,
      SeedParameters parameters,
      DocumentLoop documents,
      List<DocumentWork> works,
      int heapMiB)
      throws Exception {
    long operations = context.scaled(parameters.operations(OPERATIONS));
    Rounds rounds = context.rounds().warmUps(WARM_UPS);
    if (parameters.testDurationSeconds() > 0) {
      rounds.lasting(parameters.duration(ROW).dividedBy(RunContext.ROUNDS));
    }
    works.forEach(work -> rounds.add(() -> documents.round(work, operations)));
    List<Measurement> measured =
        rounds.measure(NAME + (heapMiB == 0 ? "" : " " + heapMiB + " MiB"));
    for (int i = 0; i < works.size(); i++) {
      DocumentWork work = works.get(i);
      Row row =
          context
              .row(measured.get(i))
              .caseName(heapMiB == 0 ? work.toString() : work + " in " + heapMiB + " MiB")
              .path("weir")
              .payloadBytes(LocalDocuments.JSON_BYTES)
              .inFlight(LocalDocuments.IN_FLIGHT)
              .extra("documents", parameters.documents())
              .extra("durability", work.durability())
              .and(documents.verdict(work));
      context.report(heapMiB == 0 ? row : row.column("heapMiB", heapMiB));
    }
  }
}
