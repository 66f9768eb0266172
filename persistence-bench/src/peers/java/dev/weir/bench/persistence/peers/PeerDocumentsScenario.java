package dev.weir.bench.persistence.peers;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.DataDirectory;

/** Measures documents of VMware Xenon, as its own page does. Found as a service. */
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
        "Documents of VMware Xenon in one process: no sockets, JSON of about "
            + XenonPeer.JSON_BYTES
            + " bytes. put: replaces one of "
            + XenonPeer.DOCUMENTS
            + " documents in turn. post: creates a document. memory: nothing is written."
            + " persisted: each version goes to the Lucene index, which Xenon commits about once a"
            + " second; an answer does not wait for that, so a killed process loses what it has"
            + " answered. Heap of the benchmark. The version of each document must be the number of"
            + " puts to it.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (DataDirectory data = context.dataDirectory();
        XenonPeer xenon = new XenonPeer(data.path())) {
      for (XenonPeer.Work work : XenonPeer.Work.values()) {
        long count = context.scaled(work == XenonPeer.Work.POST_PERSISTED ? POSTS : PUTS);
        XenonPeer.Documents documents = xenon.documents(work);
        Measurement measurement =
            context
                .rounds()
                .warmUps(WARM_UPS)
                .measure(NAME + " " + work, () -> documents.round(count, IN_FLIGHT));
        context.report(
            context
                .row(measurement)
                .caseName(work.toString())
                .path("xenon")
                .flush(Flush.NONE.toString())
                .payloadBytes(XenonPeer.JSON_BYTES)
                .inFlight(IN_FLIGHT)
                .extra("documents", XenonPeer.DOCUMENTS)
                .extra("processes", 1)
                .and(documents.verdict()));
      }
    }
  }
}
