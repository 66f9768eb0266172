package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.report.Row;
import dev.weir.bench.Rounds;
import java.time.Duration;
import java.util.List;

/** Measures documents of VMware Xenon beside ours, as its own page does. Found as a service. */
public final class PeerDocumentsScenario implements Scenario {
  private static final String NAME = "peer-documents";
  private static final int WARM_UPS = 4;
  private static final long PUTS = 20_000;
  private static final long POSTS = 2_000;
  private static final int SMALL_HEAP = 64;

  /** In MiB. */
  private static final List<Integer> HEAPS = List.of(4_096, SMALL_HEAP);

  /** For the service loader. */
  public PeerDocumentsScenario() {}

  @Override
  public About about() {
    return About.of(
        NAME,
        "Documents of VMware Xenon and of weir-state, each in a process with a heap of its own"
            + " (heapMiB), round by round: no sockets,"
            + " JSON of about "
            + XenonPeer.JSON_BYTES
            + " bytes. put: replaces one of "
            + XenonPeer.DOCUMENTS
            + " documents in turn. post: creates a document. memory: nothing is written. persisted:"
            + " each version goes to the Lucene index, which Xenon commits about once a second; an"
            + " answer does not wait for that, so a killed process loses what it has answered."
            + " weir: see documents; persisted is answered when it is in the operating system."
            + " Xenon clones a body by Kryo when it is sent; weir serializes it then. At 64 MiB Xenon"
            + " dies of what is persisted, so only what is in memory is compared there."
            + " xWeir: throughput over that of weir in the same round, the median. The version of each document must be the number of puts to it.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    for (int heapMiB : HEAPS) {
      try (DataDirectory data = context.dataDirectory();
          DataDirectory ownData = context.dataDirectory();
          ChildDocuments xenon =
              new ChildDocuments(XenonMain.class, data.path(), ChildDocuments.heap(heapMiB));
          ChildDocuments weir =
              new ChildDocuments(ownData.path(), ChildDocuments.heap(heapMiB))) {
        for (XenonPeer.Work work : XenonPeer.Work.values()) {
          if (heapMiB > SMALL_HEAP || work == XenonPeer.Work.PUT_MEMORY) {
            measure(context, heapMiB, work, xenon, weir);
          }
        }
      }
    }
  }

  private static void measure(
      RunContext context,
      int heapMiB,
      XenonPeer.Work work,
      ChildDocuments xenon,
      ChildDocuments weir)
      throws Exception {
    SeedParameters parameters = SeedParameters.ofSystem();
    long byDefault = work == XenonPeer.Work.POST_PERSISTED ? POSTS : PUTS;
    long count = context.scaled(parameters.operations(byDefault));
    DocumentWork own = DocumentWork.valueOf(work.name());
    Rounds rounds = context.rounds().warmUps(WARM_UPS);
    if (parameters.testDurationSeconds() > 0) {
      rounds.lasting(parameters.duration(Duration.ZERO).dividedBy(RunContext.ROUNDS));
    }
    List<Measurement> measured =
        rounds
            .add(() -> xenon.round(own, count))
            .add(() -> weir.round(own, count))
            .measure(NAME + " " + work + " " + heapMiB + " MiB");
    Flush flush = work == XenonPeer.Work.PUT_MEMORY ? Flush.NONE : Flush.OS;
    Row peer = row(context, measured.get(0), work, "xenon", Flush.NONE, heapMiB);
    Row ours = row(context, measured.get(1), work, "weir", flush, heapMiB);
    context.report(ours.and(weir.verdict(own)));
    context.report(peer.and(xenon.verdict(own)).over(ours, "xWeir"));
  }

  private static Row row(
      RunContext context, Measurement measured, XenonPeer.Work work, String path, Flush flush, int heapMiB) {
    return context
        .row(measured)
        .caseName(work + " in " + heapMiB + " MiB")
        .path(path)
        .flush(flush.toString())
        .payloadBytes(XenonPeer.JSON_BYTES)
        .inFlight(LocalDocuments.IN_FLIGHT)
        .extra("documents", XenonPeer.DOCUMENTS)
        .column("heapMiB", heapMiB)
        .extra("processes", 2);
  }
}
