package dev.weir.bench.persistence.documents;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Measures the heap that a document takes, of VMware Xenon and of weir-state. Found as a service. */
public final class PeerFootprintScenario implements Scenario {
  /** The path of the rows of Xenon. */
  static final String XENON = "xenon";

  private static final String WEIR = "weir";
  private static final String NAME = "peer-footprint";

  /** In MiB. */
  private static final int HEAP = 512;

  /** More than the budget of weir for paused documents holds. */
  private static final int BEFORE = 10_000;

  private static final int DOCUMENTS = 20_000;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /** For the service loader. */
  public PeerFootprintScenario() {}

  @Override
  public About about() {
    return About.of(
        NAME,
        "Heap that a document of "
            + LocalDocuments.JSON_BYTES
            + " bytes takes, key and service included, of VMware Xenon and of weir-state. Each row"
            + " is measured in a process of its own, with a heap of "
            + HEAP
            + " MiB and the parallel collector: the heap in use after "
            + BEFORE
            + " documents is taken from that after all of them, and divided by the documents between."
            + " In use is the least after one of "
            + FootprintMain.COLLECTIONS
            + " full collections. memory: the documents are never on disk. resident: they are on disk"
            + " and in memory. paused: they are on disk only, and are loaded when they are asked for."
            + " What the index of Xenon and JE of weir keep in the heap for them counts.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    for (Footprint.Place place : Footprint.Place.values()) {
      for (String path : List.of(WEIR, XENON)) {
        measure(context, place, path);
      }
    }
  }

  private static void measure(RunContext context, Footprint.Place place, String path)
      throws Exception {
    long documents = context.scaled(DOCUMENTS);
    JsonObject result = measured(context, place, path, documents);
    long held = result.getLong(FootprintMain.HELD);
    long damaged = result.getLong(FootprintMain.DAMAGED);
    Row row =
        context
            .row()
            .caseName(place.toString())
            .path(path)
            .payloadBytes(LocalDocuments.JSON_BYTES)
            .rounds(1)
            .operations(documents)
            .column("heap B", result.getLong(FootprintMain.HEAP_BYTES) / Math.max(1, held))
            .column("heapMiB", HEAP)
            .extra("held", held)
            .extra("documentsBefore", BEFORE)
            .extra("how", how(place, path));
    context.report(
        row.verdict(
            Verdict.ok()
                .unless(
                    held >= documents * 9 / 10, held + " of " + documents + " were " + place)
                .unless(damaged == 0, damaged + " documents were not read back")));
  }

  private static JsonObject measured(
      RunContext context, Footprint.Place place, String path, long documents)
      throws IOException, InterruptedException {
    try (DataDirectory data = context.dataDirectory()) {
      ChildJvm.Outcome outcome =
          ChildJvm.run(
              ChildDocuments.heap(HEAP),
              FootprintMain.class,
              List.of(
                  path, place.toString(), data.path().toString(), "" + BEFORE, "" + documents),
              TIMEOUT);
      return outcome
          .line(FootprintMain.RESULT)
          .map(JsonObject::new)
          .orElseThrow(() -> new IOException(outcome.describe()));
    }
  }

  private static String how(Footprint.Place place, String path) {
    String heap =
        "least heap in use after "
            + FootprintMain.COLLECTIONS
            + " full collections, all documents less those before";
    if (place != Footprint.Place.PAUSED) {
      return heap;
    }
    return heap
        + (path.equals(XENON)
            ? "; serviceCacheClearDelayMicros 1: the host stops idle services about once a second"
            : "; residentBytes at its minimum of 1 MiB");
  }
}
