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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one would write without a store of documents: JE with a table and two indexes, and a thread
 * that takes all that waits, makes one transaction of the documents, and commits that to the
 * operating system. Who asks reads the tables himself, at once, so no answer waits for another
 * thread, and may find what is about to be committed.
 */
final class IndexedFloor extends IndexedDocuments {
  /** JE's cache, which has the documents too: as much as the store of documents has for these. */
  private static final int PARTS_OF_HEAP = 4;

  private final JeIndexedStore store;
  private final BatchThread<Runnable> thread;

  /** Creates of the commit under way; used on the thread. */
  private List<Promise<Void>> committing = new ArrayList<>();

  IndexedFloor(Path directory, int count) {
    super(count);
    LogSpec spec = LogSpec.of(Shape.STORE, Flush.OS, JSON_BYTES, CREATES_IN_FLIGHT, Long.MAX_VALUE);
    store = new JeIndexedStore(directory, spec, Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP);
    thread = new BatchThread<>(loop, "bench-floor-documents", this::work);
  }

  @Override
  String path() {
    return JeMechanism.PATH;
  }

  @Override
  void clear() {
    store.clear();
  }

  private void work(List<Runnable> batch) {
    batch.forEach(Runnable::run);
    if (!committing.isEmpty()) {
      commit();
    }
  }

  @Override
  Future<?> create(String key, JsonObject content) {
    byte[] body = DocumentBody.of(content).encoded();
    long n = content.getLong(NUMBER);
    String group = content.getString(GROUP);
    Promise<Void> created = Promise.promise();
    thread.add(
        () -> {
          try {
            store.put(key, body, n, group);
            committing.add(created);
          } catch (RuntimeException e) {
            loop.runOnContext(any -> created.fail(e));
          }
        });
    return created.future();
  }

  private void commit() {
    List<Promise<Void>> ended = committing;
    committing = new ArrayList<>();
    try {
      store.commit();
      loop.runOnContext(any -> ended.forEach(Promise::complete));
    } catch (RuntimeException e) {
      loop.runOnContext(any -> ended.forEach(created -> created.fail(e)));
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
