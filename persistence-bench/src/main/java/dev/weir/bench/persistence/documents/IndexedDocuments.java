package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * Documents with two indexed fields, kept in one way, and the event loop that creates and finds
 * them. Document n has the key {@code key-n}.
 */
abstract class IndexedDocuments implements Closeable {
  /** What a document has as JSON, without the digits of its number. */
  static final int JSON_BYTES = 330;

  /** Documents of a page. */
  static final int PAGE = 100;

  static final int CREATES_IN_FLIGHT = 1_024;
  static final int QUERIES_IN_FLIGHT = 4;

  static final String NUMBER = "n";
  static final String GROUP = "group";

  /** Values of the field that is indexed and not asked for. */
  private static final int GROUPS = 100;

  private static final String TEXT = "x".repeat(295);

  /** A prime, so that all documents have their turn in an order of no index. */
  private static final long STEP = 7_919;

  /** Parts in which the documents are created. */
  private static final int PARTS = 10;

  final Vertx vertx = Vertx.vertx();
  final Context loop = vertx.getOrCreateContext();
  private final int part;
  private final int count;
  private long created;
  private long asked;

  /** For so many documents, or a few less. */
  IndexedDocuments(int count) {
    this.part = count / PARTS;
    this.count = part * PARTS;
    this.created = this.count;
  }

  /** The field {@code path} of the rows. */
  abstract String path();

  /** Begins anew without documents, blocking the caller. */
  abstract void clear() throws Exception;

  /** Creates a document; on the loop. */
  abstract Future<?> create(String key, JsonObject content);

  /** Finds the document of a number; on the loop. */
  abstract Future<Reply> one(long n);

  /** Finds a page of documents from a number on, sorted by it; on the loop. */
  abstract Future<Reply> page(long n);

  /** The number of documents, blocking the caller. */
  abstract long counted() throws Exception;

  /** How many documents there are when all are created. */
  final int count() {
    return count;
  }

  /** Creates a part of the documents, the first one of the next if there are all. */
  final RoundResult createPart() throws Exception {
    if (created == count) {
      clear();
      created = 0;
    }
    return round(this::create, part, CREATES_IN_FLIGHT, null);
  }

  /** Creates what is missing, and counts. */
  final Verdict createRest() throws Exception {
    while (created < count) {
      createPart();
    }
    long all = counted();
    return Verdict.ok().unless(all == count, "counted " + all + " of " + count);
  }

  /**
   * @param recording null for none
   */
  final RoundResult equality(long queries, Recording recording) throws Exception {
    return round(
        (operation, startTimeNs, sink) -> end(one(next(count)), operation, startTimeNs, sink),
        queries,
        QUERIES_IN_FLIGHT,
        recording);
  }

  /**
   * @param recording null for none
   */
  final RoundResult range(long queries, Recording recording) throws Exception {
    return round(
        (operation, startTimeNs, sink) ->
            end(page(next(count - PAGE)), operation, startTimeNs, sink),
        queries,
        QUERIES_IN_FLIGHT,
        recording);
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
        new JsonObject().put(NUMBER, n).put(GROUP, "g" + n % GROUPS).put("text", TEXT);
    end(create(key(n), content).map(Reply.OK), operation, startTimeNs, sink);
  }

  /** A value that differs from one query to the next, over all documents. */
  private long next(long values) {
    return asked++ * STEP % values;
  }

  private static void end(Future<Reply> answer, long operation, long startTimeNs, ReplySink sink) {
    answer.onComplete(
        reply -> sink.onReply(operation, startTimeNs, reply),
        failure -> sink.onFailure(operation, startTimeNs, failure));
  }

  private static String key(long n) {
    return "key-" + n;
  }

  /** Whether so many documents were found, the first one that of the number. */
  static <D> Reply judge(List<D> found, int expected, Function<D, String> key, long n) {
    return found.size() == expected && key.apply(found.get(0)).equals(key(n))
        ? Reply.OK
        : Reply.CORRUPT;
  }

  @Override
  public void close() throws IOException {
    LocalDocuments.close(vertx);
  }
}
