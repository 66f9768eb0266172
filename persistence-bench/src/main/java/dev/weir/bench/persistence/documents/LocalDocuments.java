package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.verify.Verdict;
import dev.weir.state.Document;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Documents of a store in this process. The requester is on an event loop of its own. */
final class LocalDocuments implements DocumentLoop {
  /** What a document has as JSON. */
  static final int JSON_BYTES = 330;

  /** Operations without an answer at any time. */
  static final int IN_FLIGHT = 1_024;

  private static final String TEXT = "x".repeat(JSON_BYTES - "{\"text\":\"\"}".length());
  private static final long TIMEOUT_S = 120;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final SeedParameters parameters;
  private final Documents documents;
  private final Map<DocumentWork, Work> works = new EnumMap<>(DocumentWork.class);

  LocalDocuments(Path directory, SeedParameters parameters) throws Exception {
    this.parameters = parameters;
    this.documents =
        await(Documents.open(vertx, new DocumentsOptions().setDirectory(directory.toString())));
  }

  /** The content of each document. */
  static JsonObject content() {
    return new JsonObject().put("text", TEXT);
  }

  /** The keys of documents that are replaced in turn. */
  static String[] keys(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new);
  }

  /** The result of a future, blocking the caller. */
  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS);
  }

  @Override
  public RoundResult round(DocumentWork work, long operations) throws Exception {
    Load load = Load.of(operations).idleTimeout(parameters.idleTimeout(Load.DEFAULT_IDLE_TIMEOUT));
    return new ClosedLoop(opened(work), load, ClosedLoop.inFlight(IN_FLIGHT, operations))
        .run(task -> loop.runOnContext(any -> task.run()));
  }

  private Work opened(DocumentWork work) throws Exception {
    Work opened = works.get(work);
    if (opened == null) {
      opened = new Work(work, await(documents.factory(work.toString(), work.options())));
      works.put(work, opened);
    }
    return opened;
  }

  /** The factory of a work that has run. */
  DocumentFactory factory(DocumentWork work) {
    return works.get(work).factory;
  }

  @Override
  public Verdict verdict(DocumentWork work) throws Exception {
    return opened(work).verdict();
  }

  @Override
  public void close() throws IOException {
    close(vertx);
  }

  /** Closes a Vert.x instance with its stores, blocking the caller. */
  static void close(Vertx vertx) throws IOException {
    try {
      await(vertx.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IOException("the store did not close", e);
    }
  }

  /** The documents of one factory. */
  private final class Work implements Target {
    private final DocumentWork work;
    private final DocumentFactory factory;
    private final String[] keys = keys(parameters.documents());
    private long sent;

    Work(DocumentWork work, DocumentFactory factory) {
      this.work = work;
      this.factory = factory;
    }

    @Override
    public void send(long operation, long startTimeNs, ReplySink sink) {
      JsonObject content = content();
      Future<Document> done =
          work.creates()
              ? factory.create("new-" + sent++, content)
              : factory.put(keys[(int) (sent++ % keys.length)], content);
      done.onComplete(
          written -> sink.onReply(operation, startTimeNs, Reply.OK),
          failure -> sink.onFailure(operation, startTimeNs, failure));
    }

    Verdict verdict() throws Exception {
      Verdict verdict = Verdict.ok();
      for (int i = 0; i < keys.length && !work.creates(); i++) {
        long puts = sent / keys.length + (i < sent % keys.length ? 1 : 0);
        long version = puts == 0 ? 0 : await(factory.get(keys[i])).version();
        verdict =
            verdict.unless(
                version == puts, "document " + i + " has " + version + " of " + puts + " puts");
      }
      if (work.creates()) {
        for (long i = 0; i < sent; i += 1 + sent / keys.length) {
          Document found = await(factory.get("new-" + i));
          verdict =
              verdict.unless(
                  found.version() == 1 && found.bytes() == JSON_BYTES,
                  "document " + i + " differs");
        }
      }
      return verdict;
    }
  }
}
