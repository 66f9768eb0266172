package dev.weir.bench.persistence.documents;

import dev.weir.state.Document;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.DocumentsStats;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Documents of weir-state. Paused ones have left the memory because the budget for it is small. */
final class WeirFootprint implements Footprint {
  private final Vertx vertx = Vertx.vertx();
  private final Place place;
  private final Documents documents;
  private final DocumentFactory factory;

  WeirFootprint(Path directory, Place place) throws Exception {
    this.place = place;
    DocumentsOptions options = new DocumentsOptions().setDirectory(directory.toString());
    if (place == Place.PAUSED) {
      options.setResidentBytes(DocumentsOptions.MIN_BUDGET_BYTES);
    }
    this.documents = LocalDocuments.await(Documents.open(vertx, options));
    DocumentWork work =
        place == Place.MEMORY ? DocumentWork.PUT_MEMORY : DocumentWork.POST_PERSISTED;
    this.factory = LocalDocuments.await(documents.factory(work.toString(), work.options()));
  }

  @Override
  public void create(int from, int to) throws Exception {
    for (int start = from; start < to; start += LocalDocuments.IN_FLIGHT) {
      List<Future<Document>> created = new ArrayList<>();
      for (int i = start; i < Math.min(to, start + LocalDocuments.IN_FLIGHT); i++) {
        created.add(factory.create(Footprint.key(i), new JsonObject().put("text", Footprint.text(i))));
      }
      LocalDocuments.await(Future.all(created));
    }
  }

  @Override
  public boolean isSettled() {
    DocumentsStats stats = documents.stats();
    return stats.residentBytes() <= stats.residentLimitBytes() && stats.inFlightBytes() == 0;
  }

  @Override
  public long held() {
    return place == Place.PAUSED
        ? factory.stats().pausedDocuments()
        : factory.stats().residentDocuments();
  }

  @Override
  public String read(int number) throws Exception {
    return LocalDocuments.await(factory.get(Footprint.key(number))).json().getString("text");
  }

  @Override
  public void close() throws IOException {
    LocalDocuments.close(vertx);
  }
}
