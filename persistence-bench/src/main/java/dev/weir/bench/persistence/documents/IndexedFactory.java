package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.Reply;
import dev.weir.state.Document;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.Query;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;

/** Indexed documents of weir-state, in one factory after another of a store. */
final class IndexedFactory extends IndexedDocuments {
  private final Documents documents;
  private DocumentFactory factory;
  private int factories;

  IndexedFactory(Path directory, int count) throws Exception {
    super(count);
    DocumentsOptions options = new DocumentsOptions().setDirectory(directory.toString());
    documents = LocalDocuments.await(Documents.open(vertx, options));
  }

  @Override
  String path() {
    return "weir";
  }

  @Override
  void clear() throws Exception {
    FactoryOptions indexed = new FactoryOptions().setIndexes(List.of(NUMBER, GROUP));
    factory = LocalDocuments.await(documents.factory("indexed" + factories++, indexed));
  }

  @Override
  Future<?> create(String key, JsonObject content) {
    return factory.create(key, content);
  }

  @Override
  Future<Reply> one(long n) {
    return factory
        .query(new Query().setFilter(NUMBER + " = " + n))
        .map(page -> judge(page.documents(), 1, Document::key, n));
  }

  @Override
  Future<Reply> page(long n) {
    Query query = new Query().setFilter(NUMBER + " >= " + n).setSort(NUMBER).setLimit(PAGE);
    return factory.query(query).map(page -> judge(page.documents(), PAGE, Document::key, n));
  }

  @Override
  long counted() throws Exception {
    return LocalDocuments.await(factory.count(new Query()));
  }
}
