package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.Reply;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.je.JeIndexedStore;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.state.DocumentBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What one would write without a store of documents: JE with a table and two indexes, and a thread
 * that takes all creates that wait, makes one transaction of them, and commits that to the
 * operating system. Queries read the tables at once, on the event loop, so they wait for no other
 * thread; they may find documents that are not committed yet.
 */
final class IndexedFloor extends IndexedDocuments {
  /**
   * Of the heap, JE's cache has this part for tables and documents. The store of documents has a
   * quarter for documents in memory, and an eighth for the cache of JE.
   */
  private static final int PARTS_OF_HEAP = 4;

  private final JeIndexedStore store;
  private final BatchThread<Create> thread;

  private record Create(String key, byte[] body, long number, String group, Promise<Void> done) {}

  IndexedFloor(Path directory, int count) {
    super(count);
    LogSpec spec = LogSpec.of(Shape.STORE, Flush.OS, JSON_BYTES, CREATES_IN_FLIGHT, Long.MAX_VALUE);
    store = new JeIndexedStore(directory, spec, Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP);
    thread = new BatchThread<>(loop, "bench-floor-documents", this::createAll);
  }

  @Override
  String path() {
    return JeMechanism.PATH;
  }

  @Override
  void clear() {
    store.clear();
  }

  @Override
  Future<?> create(String key, JsonObject content) {
    Promise<Void> done = Promise.promise();
    thread.add(
        new Create(
            key,
            DocumentBody.of(content).encoded(),
            content.getLong(NUMBER),
            content.getString(GROUP),
            done));
    return done.future();
  }

  private void createAll(List<Create> batch) {
    try {
      batch.forEach(one -> store.put(one.key, one.body, one.number, one.group));
      store.commit();
      loop.runOnContext(any -> batch.forEach(one -> one.done.complete()));
    } catch (RuntimeException e) {
      loop.runOnContext(any -> batch.forEach(one -> one.done.fail(e)));
    }
  }

  @Override
  Future<Reply> one(long n) {
    return Future.succeededFuture(judge(store.find(n), 1, Map.Entry::getKey, n));
  }

  @Override
  Future<Reply> page(long n) {
    return Future.succeededFuture(judge(store.findFrom(n, PAGE), PAGE, Map.Entry::getKey, n));
  }

  @Override
  long counted() {
    return store.count();
  }

  @Override
  public void close() throws IOException {
    thread.close();
    store.close();
    super.close();
  }
}
