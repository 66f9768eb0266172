package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.report.Row;
import java.util.List;

/** Measures documents of VMware Xenon beside ours, as its own page does. Found as a service. */
public final class PeerDocumentsScenario implements Scenario {
  private static final String NAME = "peer-documents";
  private static final int WARM_UPS = 4;
  private static final int IN_FLIGHT = 1_024;
  private static final long PUTS = 20_000;
  private static final long POSTS = 2_000;

  /** For the service loader. */
  public PeerDocumentsScenario() {}

  @Override
  public About about() {
    return About.of(
        NAME,
        "Documents of VMware Xenon and of weir-state in one process, round by round: no sockets,"
            + " JSON of about "
            + XenonPeer.JSON_BYTES
            + " bytes. put: replaces one of "
            + XenonPeer.DOCUMENTS
            + " documents in turn. post: creates a document. memory: nothing is written. persisted:"
            + " each version goes to the Lucene index, which Xenon commits about once a second; an"
            + " answer does not wait for that, so a killed process loses what it has answered."
            + " weir: see documents; persisted is answered when it is in the operating system."
            + " xWeir: throughput over that of weir in the same round, the median. Heap of the"
            + " benchmark. The version of each document must be the number of puts to it.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (DataDirectory data = context.dataDirectory();
        DataDirectory ownData = context.dataDirectory();
        XenonPeer xenon = new XenonPeer(data.path());
        LocalDocuments weir = new LocalDocuments(ownData.path(), SeedParameters.ofSystem())) {
      for (XenonPeer.Work work : XenonPeer.Work.values()) {
        long count = context.scaled(work == XenonPeer.Work.POST_PERSISTED ? POSTS : PUTS);
        XenonPeer.Documents documents = xenon.documents(work);
        DocumentWork own = DocumentWork.valueOf(work.name());
        List<Measurement> measured =
            context
                .rounds()
                .warmUps(WARM_UPS)
                .add(() -> documents.round(count, IN_FLIGHT))
                .add(() -> weir.round(own, count))
                .measure(NAME + " " + work);
        Flush flush = work == XenonPeer.Work.PUT_MEMORY ? Flush.NONE : Flush.OS;
        Row peer = row(context, measured.get(0), work, "xenon", Flush.NONE);
        Row ours = row(context, measured.get(1), work, "weir", flush);
        context.report(ours.and(weir.verdict(own)));
        context.report(peer.and(documents.verdict()).over(ours, "xWeir"));
      }
    }
  }

  private static Row row(
      RunContext context, Measurement measured, XenonPeer.Work work, String path, Flush flush) {
    return context
        .row(measured)
        .caseName(work.toString())
        .path(path)
        .flush(flush.toString())
        .payloadBytes(XenonPeer.JSON_BYTES)
        .inFlight(IN_FLIGHT)
        .extra("documents", XenonPeer.DOCUMENTS)
        .extra("processes", 1);
  }
}
