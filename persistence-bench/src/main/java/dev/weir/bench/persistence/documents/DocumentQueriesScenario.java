package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Measures queries by indexed fields, by how many documents there are. */
public final class DocumentQueriesScenario implements Scenario {
  private static final String NAME = "document-queries";
  private static final List<Integer> QUICK = List.of(10_000);
  private static final List<Integer> FULL = List.of(10_000, 100_000, 1_000_000);
  private static final long QUERIES = 500;
  private static final int PREHEAT_PASSES = 10;

  /** Queries by a value for each page: a page takes that much longer. */
  private static final int PER_PAGE = 20;

  @Override
  public About about() {
    return About.headline(
        NAME,
        "Documents of weir-state with two indexed fields, found by them; "
            + IndexedDocuments.QUERIES_IN_FLIGHT
            + " queries without an answer. index: documents created, with both indexes kept, in one"
            + " factory after another."
            + " equality: the one document of a value. range: a page of "
            + IndexedDocuments.PAGE
            + " documents from a value on, sorted by it. backlog: documents in the factory. Each"
            + " answer must have the right documents. je, the floor: JE with a table and two"
            + " indexes, and a thread that commits all that waits in one transaction; read at once,"
            + " for the same requester and encoded bodies. It has no versions, conditions, filters"
            + " or limits. xFloor: over the floor, round by round.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Integer> all = context.profile().pick(QUICK, FULL);
    // Further JVMs measure what page one shows.
    List<Integer> counts = context.isFirstJvm() ? all : all.subList(all.size() - 1, all.size());
    withBoth(
        context,
        counts.get(0),
        sides -> context.preheat(PREHEAT_PASSES, () -> sides.pass(context.scaled(QUERIES))));
    for (int count : counts) {
      withBoth(context, count, sides -> sides.measure(context));
    }
  }

  private static void withBoth(RunContext context, int asked, Work work) throws Exception {
    int count = (int) Math.max(2 * IndexedDocuments.PAGE, context.scaled(asked));
    try (DataDirectory floorData = context.dataDirectory();
        DataDirectory data = context.dataDirectory();
        IndexedDocuments floor = new IndexedFloor(floorData.path(), count);
        IndexedDocuments store = new IndexedFactory(data.path(), count)) {
      work.run(new Sides(floor, store));
    }
  }

  @FunctionalInterface
  private interface Work {
    void run(Sides sides) throws Exception;
  }

  /** The same documents in a store and in its floor. */
  private record Sides(IndexedDocuments floor, IndexedDocuments store) {
    private List<IndexedDocuments> both() {
      return List.of(floor, store);
    }

    /** All work once, to be warm. */
    void pass(long queries) throws Exception {
      for (IndexedDocuments side : both()) {
        side.createPart();
        side.createRest();
        side.equality(PER_PAGE * queries, null);
        side.range(queries, null);
      }
    }

    void measure(RunContext context) throws Exception {
      String label = NAME + " " + store.count();
      Rounds creates = context.headlineRounds();
      both().forEach(side -> creates.add(side::createPart));
      List<Measurement> creating = creates.measure(label + " index");
      List<Verdict> counted = List.of(floor.createRest(), store.createRest());
      report(context, creating, "index", IndexedDocuments.CREATES_IN_FLIGHT, counted);

      long queries = context.scaled(QUERIES);
      Rounds asking = context.headlineRounds();
      for (IndexedDocuments side : both()) {
        Recording recording = Recording.singleWriter();
        asking.add(() -> side.equality(queries, recording), recording);
      }
      for (IndexedDocuments side : both()) {
        Recording recording = Recording.singleWriter();
        asking.add(() -> side.range(queries, recording), recording);
      }
      List<Measurement> asked = asking.measure(label);
      List<Verdict> none = List.of(Verdict.ok(), Verdict.ok());
      int inFlight = IndexedDocuments.QUERIES_IN_FLIGHT;
      report(context, asked.subList(0, 2), "equality", inFlight, none);
      report(context, asked.subList(2, 4), "range", inFlight, none);
    }

    private void report(
        RunContext context,
        List<Measurement> measured,
        String name,
        int inFlight,
        List<Verdict> verdicts) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < measured.size(); i++) {
        rows.add(
            context
                .row(measured.get(i))
                .caseName(name)
                .path(both().get(i).path())
                .backlog(store.count())
                .payloadBytes(IndexedDocuments.JSON_BYTES)
                .inFlight(inFlight)
                .extra("durability", "PROCESS")
                .and(verdicts.get(i)));
      }
      rows.get(1).over(rows.get(0), "xFloor");
      rows.forEach(context::report);
    }
  }
}
