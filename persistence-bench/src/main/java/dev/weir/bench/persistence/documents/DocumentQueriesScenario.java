package dev.weir.bench.persistence.documents;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Measures queries by indexed fields, by how many documents there are. */
public final class DocumentQueriesScenario implements Scenario {
  private static final String NAME = "document-queries";
  private static final List<Integer> QUICK = List.of(10_000);
  private static final List<Integer> FULL = List.of(10_000, 100_000, 1_000_000);
  private static final int CREATES_IN_FLIGHT = 1_024;
  private static final int IN_FLIGHT = 4;
  private static final int PAGE = 100;
  private static final long QUERIES = 500;
  private static final int PREHEAT_PASSES = 10;

  /** Queries by a value for each page: a page takes that much longer. */
  private static final int PER_PAGE = 20;

  /** A prime, so that all documents have their turn in an order of no index. */
  private static final long STEP = 7_919;

  /** Parts in which the documents are created. */
  private static final int PARTS = 10;

  /** Values of the field that is indexed and not asked for. */
  private static final int GROUPS = 100;

  private static final int JSON_BYTES = 330;
  private static final String TEXT = "x".repeat(295);

  @Override
  public About about() {
    return About.headline(
        NAME,
        "Documents of weir-state with two indexed fields, found by them; "
            + IN_FLIGHT
            + " queries without an answer. index: documents created, with both indexes kept, in one"
            + " factory after another."
            + " equality: the one document of a value. range: a page of "
            + PAGE
            + " documents from a value on, sorted by it. backlog: documents in the factory. Each"
            + " answer must have the right documents.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Integer> counts = context.profile().pick(QUICK, FULL);
    try (DataDirectory data = context.dataDirectory();
        Store store = new Store(data, documents(context, counts.get(0)))) {
      context.preheat(PREHEAT_PASSES, () -> store.pass(context.scaled(QUERIES)));
    }
    for (int count : counts) {
      try (DataDirectory data = context.dataDirectory();
          Store store = new Store(data, documents(context, count))) {
        store.measure(context);
      }
    }
  }

  private static int documents(RunContext context, int count) {
    return (int) Math.max(2 * PAGE, context.scaled(count));
  }

  /** A store with indexed documents. */
  private static final class Store implements Closeable {
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final int count;
    private final Documents documents;
    private DocumentFactory factory;
    private int factories;
    private long created;
    private long asked;

    Store(DataDirectory data, int count) throws Exception {
      this.count = count / PARTS * PARTS;
      DocumentsOptions options = new DocumentsOptions().setDirectory(data.path().toString());
      this.documents = LocalDocuments.await(Documents.open(vertx, options));
      nextFactory();
    }

    private void nextFactory() throws Exception {
      FactoryOptions indexed = new FactoryOptions().setIndexes(List.of("n", "group"));
      factory = LocalDocuments.await(documents.factory("indexed" + factories++, indexed));
      created = 0;
    }

    /** Creates a part of the documents, of the next factory if this one has all. */
    private RoundResult createPart() throws Exception {
      if (created == count) {
        nextFactory();
      }
      return round(this::create, part(), CREATES_IN_FLIGHT, null);
    }

    private void createRest() throws Exception {
      while (created < count) {
        createPart();
      }
    }

    /** All work once, to be warm. */
    void pass(long queries) throws Exception {
      createPart();
      createRest();
      round(this::equality, PER_PAGE * queries, IN_FLIGHT, null);
      round(this::range, queries, IN_FLIGHT, null);
    }

    void measure(RunContext context) throws Exception {
      Measurement creating =
          context.headlineRounds().measure(NAME + " index " + count, this::createPart);
      createRest();
      context.report(row(context, creating, "index", CREATES_IN_FLIGHT).and(counted()));
      long queries = context.scaled(QUERIES);
      Recording equalities = Recording.singleWriter();
      Recording ranges = Recording.singleWriter();
      List<Measurement> measured =
          context
              .headlineRounds()
              .add(() -> round(this::equality, queries, IN_FLIGHT, equalities), equalities)
              .add(() -> round(this::range, queries, IN_FLIGHT, ranges), ranges)
              .measure(NAME + " " + count);
      context.report(row(context, measured.get(0), "equality", IN_FLIGHT));
      context.report(row(context, measured.get(1), "range", IN_FLIGHT));
    }

    private int part() {
      return count / PARTS;
    }

    private Row row(RunContext context, Measurement measured, String name, int inFlight) {
      return context
          .row(measured)
          .caseName(name)
          .path("weir")
          .backlog(count)
          .payloadBytes(JSON_BYTES)
          .inFlight(inFlight)
          .extra("durability", "PROCESS");
    }

    private RoundResult round(Target target, long operations, int inFlight, Recording recording)
        throws Exception {
      Load load = Load.of(operations).recordingInto(recording);
      return new ClosedLoop(target, load, ClosedLoop.inFlight(inFlight, operations))
          .run(task -> loop.runOnContext(any -> task.run()));
    }

    private void create(long operation, long startTimeNs, ReplySink sink) {
      long n = created++;
      JsonObject content =
          new JsonObject().put("n", n).put("group", "g" + n % GROUPS).put("text", TEXT);
      end(factory.create("key-" + n, content).map(Reply.OK), operation, startTimeNs, sink);
    }

    /** A value that differs from one query to the next, over all documents. */
    private long next(long values) {
      return asked++ * STEP % values;
    }

    private void equality(long operation, long startTimeNs, ReplySink sink) {
      long n = next(count);
      Query query = new Query().setFilter("n = " + n);
      end(
          factory
              .query(query)
              .map(page -> page.documents().size() == 1 ? first(page, n) : Reply.CORRUPT),
          operation,
          startTimeNs,
          sink);
    }

    private void range(long operation, long startTimeNs, ReplySink sink) {
      long n = next(count - PAGE);
      Query query = new Query().setFilter("n >= " + n).setSort("n").setLimit(PAGE);
      end(
          factory
              .query(query)
              .map(page -> page.documents().size() == PAGE ? first(page, n) : Reply.CORRUPT),
          operation,
          startTimeNs,
          sink);
    }

    private static Reply first(QueryPage page, long n) {
      return page.documents().get(0).key().equals("key-" + n) ? Reply.OK : Reply.CORRUPT;
    }

    private static void end(
        Future<Reply> answer, long operation, long startTimeNs, ReplySink sink) {
      answer.onComplete(
          reply -> sink.onReply(operation, startTimeNs, reply),
          failure -> sink.onFailure(operation, startTimeNs, failure));
    }

    private Verdict counted() throws Exception {
      long all = LocalDocuments.await(factory.count(new Query()));
      return Verdict.ok().unless(all == count, "counted " + all + " of " + count);
    }

    @Override
    public void close() throws IOException {
      LocalDocuments.close(vertx);
    }
  }
}
