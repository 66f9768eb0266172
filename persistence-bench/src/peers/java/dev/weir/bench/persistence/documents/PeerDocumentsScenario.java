package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.report.Row;
import dev.weir.bench.Rounds;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Measures documents of VMware Xenon beside ours, as its own page does. Found as a service. */
public final class PeerDocumentsScenario implements Scenario {
  private static final String NAME = "peer-documents";
  private static final int WARM_UPS = 4;
  private static final long PUTS = 20_000;
  private static final long POSTS = 2_000;
  private static final int SMALL_HEAP = 64;
  private static final int CLIENT_HEAP = 512;

  /** In MiB. */
  private static final List<Integer> HEAPS = List.of(4_096, SMALL_HEAP);

  /** What an answer of Xenon promises for a document that it persists. */
  private static final String LATER = "none: the index is written later, about once a second";

  /** For the service loader. */
  public PeerDocumentsScenario() {}

  @Override
  public About about() {
    return About.of(
        NAME,
        "Documents of VMware Xenon and of weir-state, each in a process with a heap of its own"
            + " (heapMiB), round by round: no sockets but for http,"
            + " JSON of about "
            + XenonPeer.JSON_BYTES
            + " bytes. put: replaces one of "
            + XenonPeer.DOCUMENTS
            + " documents in turn. post: creates a document. memory: nothing is written. persisted:"
            + " each version goes to the Lucene index, which Xenon commits about once a second; an"
            + " answer does not wait for that, so a killed process loses what it has answered."
            + " weir: see documents; persisted is answered when it is in the operating system."
            + " Xenon clones a body by Kryo when it is sent; weir serializes it then. At 64 MiB Xenon"
            + " runs out of memory in post, so only put is compared there."
            + " http: puts of JSON to documents in memory, by a client in a third process with "
            + HttpPuts.CONNECTIONS
            + " connections, one request at a time on each; weir serves on one event loop."
            + " xWeir: throughput over that of weir in the same round, the median. The version of each document must be the number of puts to it.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    for (int heapMiB : HEAPS) {
      try (DataDirectory data = context.dataDirectory();
          DataDirectory ownData = context.dataDirectory();
          ChildDocuments xenon =
              xenon(data, heapMiB);
          ChildDocuments weir =
              new ChildDocuments(ownData.path(), ChildDocuments.heap(heapMiB))) {
        for (XenonPeer.Work work : XenonPeer.Work.values()) {
          if (heapMiB > SMALL_HEAP || work != XenonPeer.Work.POST_PERSISTED) {
            measure(context, heapMiB, work, xenon, weir);
          }
        }
      }
      measureHttp(context, heapMiB);
    }
  }

  private static ChildDocuments xenon(DataDirectory data, int heapMiB) throws IOException {
    return new ChildDocuments(
        XenonMain.class, List.of(data.path().toString()), ChildDocuments.heap(heapMiB));
  }

  /** Puts of JSON over HTTP by a client in a process of its own, to documents in memory. */
  private static void measureHttp(RunContext context, int heapMiB) throws Exception {
    DocumentWork work = DocumentWork.PUT_MEMORY;
    try (DataDirectory data = context.dataDirectory();
        ChildDocuments xenon = xenon(data, heapMiB);
        ChildDocuments weir =
            new ChildDocuments(
                HttpDocumentsMain.class, List.of(), ChildDocuments.heap(heapMiB))) {
      // Makes the documents.
      xenon.verdict(work);
      try (ChildDocuments toXenon = client(xenon.port(), "/" + work + "/");
          ChildDocuments toWeir = client(weir.port(), HttpDocumentsMain.path())) {
        measure(
            context,
            XenonPeer.Work.PUT_MEMORY,
            "http-" + work + " in " + heapMiB + " MiB",
            toXenon,
            toWeir,
            row -> row.inFlight(HttpPuts.CONNECTIONS).column("heapMiB", heapMiB).extra("processes", 3));
      }
    }
  }

  private static ChildDocuments client(int port, String path) throws IOException {
    return new ChildDocuments(
        HttpPuts.class, List.of("" + port, path), ChildDocuments.heap(CLIENT_HEAP));
  }

  private static void measure(
      RunContext context,
      int heapMiB,
      XenonPeer.Work work,
      ChildDocuments xenon,
      ChildDocuments weir)
      throws Exception {
    measure(
        context,
        work,
        work + " in " + heapMiB + " MiB",
        xenon,
        weir,
        row ->
            row.inFlight(LocalDocuments.IN_FLIGHT)
                .column("heapMiB", heapMiB)
                .extra("processes", 2));
  }

  private static void measure(
      RunContext context,
      XenonPeer.Work work,
      String name,
      ChildDocuments xenon,
      ChildDocuments weir,
      UnaryOperator<Row> more)
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
            .measure(NAME + " " + name);
    Flush flush = work == XenonPeer.Work.PUT_MEMORY ? Flush.NONE : Flush.OS;
    Row peer = more.apply(row(context, measured.get(0), name, "xenon", Flush.NONE));
    Row ours = more.apply(row(context, measured.get(1), name, "weir", flush));
    peer.extra("durability", work == XenonPeer.Work.PUT_MEMORY ? own.durability() : LATER);
    ours.extra("durability", own.durability());
    context.report(ours.and(weir.verdict(own)));
    context.report(peer.and(xenon.verdict(own)).over(ours, "xWeir"));
  }

  private static Row row(
      RunContext context, Measurement measured, String name, String path, Flush flush) {
    return context
        .row(measured)
        .caseName(name)
        .path(path)
        .flush(flush.toString())
        .payloadBytes(XenonPeer.JSON_BYTES)
        .extra("semantics", "documents with versions, by their keys; each put is applied once")
        .extra("documents", XenonPeer.DOCUMENTS);
  }
}
