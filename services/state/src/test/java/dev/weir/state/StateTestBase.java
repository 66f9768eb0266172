package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Vert.x and a store for each test, closed after it; fails if threads of ours are left. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
abstract class StateTestBase {
  @TempDir Path directory;
  Vertx vertx;
  Documents documents;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    open(options());
  }

  DocumentsOptions options() {
    return new DocumentsOptions()
        .setDirectory(directory.resolve("documents").toString())
        .setThreads(2)
        .setMinFreeBytes(1 << 20);
  }

  void open(DocumentsOptions options) {
    documents = Futures.result("the store opens", Documents.open(vertx, options));
  }

  /** Closes the store and opens its directory again. */
  void reopen() {
    Futures.result("the store closes", documents.close());
    open(options());
  }

  /** Copies the files of the store as they are while it is open: what a kill would leave. */
  void copyOfOpenDirectory(Path to) {
    try (Stream<Path> files = Files.list(directory.resolve("documents"))) {
      Files.createDirectory(to);
      for (Path each : files.toList()) {
        Files.copy(each, to.resolve(each.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() {
    Futures.result("vert.x closes", vertx.close());
    Await.until("no thread of a store is left", () -> storeThreads().isEmpty());
  }

  private static List<String> storeThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-"))
        .toList();
  }

  DocumentFactory factory(String name) {
    return factory(name, new FactoryOptions());
  }

  DocumentFactory factory(String name, FactoryOptions options) {
    return factory(name, options, new FactoryRules());
  }

  DocumentFactory factory(String name, FactoryOptions options, FactoryRules rules) {
    return Futures.result("factory " + name, documents.factory(name, options, rules));
  }

  static JsonObject json(String text) {
    return new JsonObject(text.replace('\'', '"'));
  }

  static <T> T done(Future<T> future) {
    return Futures.result("operation", future);
  }

  static void assertFails(Future<?> future, DocumentFailure failure, String message) {
    Throwable cause = Futures.failure("operation", future);
    assertThat(cause).isInstanceOf(DocumentException.class).hasMessageContaining(message);
    assertThat(((DocumentException) cause).failure()).isEqualTo(failure);
  }
}
