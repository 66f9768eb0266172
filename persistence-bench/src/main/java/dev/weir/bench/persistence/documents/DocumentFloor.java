package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.RecordStore;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.verify.Verdict;
import dev.weir.state.DocumentBody;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What one would write without a store of documents, for the same requester and the same encoded
 * bodies. For what is in memory: a map. For what survives a killed process: JE, and a thread that
 * takes all puts that wait, makes one transaction of the last one of each document, and commits
 * that to the operating system. It has no versions, conditions, queries or limits.
 */
final class DocumentFloor implements DocumentLoop {
  /** Where a body has the number of its put, in the text of the document. */
  private static final int NUMBER_AT = 16;

  private static final long NO_NUMBER = -1;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Path directory;
  private final int documents;
  private final Map<DocumentWork, Work> works = new EnumMap<>(DocumentWork.class);

  /**
   * @param directory exists
   */
  DocumentFloor(Path directory, SeedParameters parameters) {
    this.directory = directory;
    this.documents = parameters.documents();
  }

  /** The field {@code path} of the rows of a work. */
  static String path(DocumentWork work) {
    return work == DocumentWork.PUT_MEMORY ? "map" : JeMechanism.PATH;
  }

  @Override
  public RoundResult round(DocumentWork work, long operations) throws Exception {
    return new ClosedLoop(
            opened(work),
            Load.of(operations),
            ClosedLoop.inFlight(LocalDocuments.IN_FLIGHT, operations))
        .run(task -> loop.runOnContext(any -> task.run()));
  }

  private Work opened(DocumentWork work) throws IOException {
    Work opened = works.get(work);
    if (opened == null) {
      opened = work == DocumentWork.PUT_MEMORY ? new InMap() : new InJe(work);
      works.put(work, opened);
    }
    return opened;
  }

  @Override
  public Verdict verdict(DocumentWork work) throws IOException {
    Work opened = opened(work);
    int expected = (int) (work.creates() ? opened.sent : Math.min(documents, opened.sent));
    Held held = new Held(opened.sent, expected);
    opened.forEach(held::add);
    return held.verdict();
  }

  @Override
  public void close() throws IOException {
    for (Work work : works.values()) {
      work.close();
    }
    LocalDocuments.close(vertx);
  }

  /** An encoded document with the number of its put. */
  static byte[] body(long number) {
    byte[] body = DocumentBody.of(LocalDocuments.content()).encoded();
    ByteBuffer.wrap(body).putLong(NUMBER_AT, number);
    return body;
  }

  /** What a floor holds: it must be the last put of each document, with its content. */
  static final class Held {
    private final long first;
    private final int expected;
    private final BitSet found = new BitSet();
    private long others;

    /** For so many documents, which are put in turn; puts have the numbers from 0 on. */
    Held(long sent, int documents) {
      this.first = sent - documents;
      this.expected = documents;
    }

    void add(byte[] body) {
      long number =
          body.length == LocalDocuments.JSON_BYTES
              ? ByteBuffer.wrap(body).getLong(NUMBER_AT)
              : NO_NUMBER;
      long index = number - first;
      if (index >= 0 && index < expected && Arrays.equals(body, body(number))) {
        found.set((int) index);
      } else {
        others++;
      }
    }

    Verdict verdict() {
      return Verdict.ok()
          .unless(
              found.cardinality() == expected,
              "the floor holds the last put of " + found.cardinality() + " of " + expected)
          .unless(others == 0, "the floor holds older or damaged " + others);
    }
  }

  /** The documents of one work. */
  private abstract static class Work implements Target, Closeable {
    private long sent;

    @Override
    public void send(long operation, long startTimeNs, ReplySink sink) {
      long number = sent++;
      keep(new Put(number, body(number), operation, startTimeNs, sink));
    }

    abstract void keep(Put put);

    /** Passes on what is held of each document. */
    abstract void forEach(Consumer<byte[]> body) throws IOException;
  }

  private record Put(long number, byte[] body, long operation, long startTimeNs, ReplySink sink) {
    void end(Future<Void> done) {
      done.onComplete(
          kept -> sink.onReply(operation, startTimeNs, Reply.OK),
          failure -> sink.onFailure(operation, startTimeNs, failure));
    }
  }

  private final class InMap extends Work {
    private final String[] keys = LocalDocuments.keys(documents);
    private final Map<String, byte[]> map = new ConcurrentHashMap<>();

    @Override
    void keep(Put put) {
      map.put(keys[(int) (put.number % keys.length)], put.body);
      put.end(Future.succeededFuture());
    }

    @Override
    void forEach(Consumer<byte[]> body) {
      map.values().forEach(body);
    }

    @Override
    public void close() {}
  }

  private final class InJe extends Work {
    private final RecordStore store;
    private final long keys;
    private final BatchThread<Put> thread;

    InJe(DocumentWork work) throws IOException {
      keys = work.creates() ? Long.MAX_VALUE : documents;
      LogSpec spec =
          LogSpec.of(
              Shape.STORE, Flush.OS, LocalDocuments.JSON_BYTES, LocalDocuments.IN_FLIGHT, keys);
      Path own = Files.createDirectories(directory.resolve(work.toString()));
      store = new JeMechanism().open(own, spec);
      thread = new BatchThread<>(loop, "bench-floor-commit", this::keepAll);
    }

    @Override
    void keep(Put put) {
      thread.add(put);
    }

    private void keepAll(List<Put> batch) {
      Future<Void> done = commit(batch);
      loop.runOnContext(any -> batch.forEach(put -> put.end(done)));
    }

    private Future<Void> commit(List<Put> batch) {
      try {
        // As the store of documents does: of one document a transaction has the last version.
        Map<Long, byte[]> last = new LinkedHashMap<>();
        batch.forEach(put -> last.put(put.number % keys, put.body));
        for (Map.Entry<Long, byte[]> put : last.entrySet()) {
          store.put(put.getKey(), put.getValue(), put.getValue().length);
        }
        store.commit();
        return Future.succeededFuture();
      } catch (IOException | RuntimeException e) {
        return Future.failedFuture(e);
      }
    }

    @Override
    void forEach(Consumer<byte[]> body) throws IOException {
      try (LogReader reader = store.reader()) {
        for (byte[] next = reader.next(); next != null; next = reader.next()) {
          body.accept(next);
        }
      }
    }

    @Override
    public void close() throws IOException {
      thread.close();
      store.close();
    }
  }
}
