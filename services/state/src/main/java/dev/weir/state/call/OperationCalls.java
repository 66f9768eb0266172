package dev.weir.state.call;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.Document;
import dev.weir.state.DocumentBody;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import dev.weir.state.WriteOptions;
import dev.weir.state.change.Operation;
import dev.weir.state.change.Operation.Kind;
import dev.weir.state.engine.Outcome;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;
import java.util.function.Supplier;

/** Turns calls of a factory into operations on one key. */
public abstract class OperationCalls implements ServedFactory {
  /**
   * Runs an operation.
   *
   * @param operation makes it; may throw a {@link DocumentException}
   * @param result what of its outcome the caller gets
   */
  protected abstract <T> Future<T> run(
      String key, Supplier<Operation> operation, Function<Outcome, T> result);

  @Override
  public Future<Document> get(String key) {
    return run(key, () -> Operation.GET, outcome -> outcome.state().document(key));
  }

  @Override
  public Future<Document> create(String key, JsonObject content, WriteOptions options) {
    return write(Kind.CREATE, key, content, options);
  }

  @Override
  public Future<Document> put(String key, JsonObject content, WriteOptions options) {
    return write(Kind.PUT, key, content, options);
  }

  @Override
  public Future<Document> replace(String key, JsonObject content, WriteOptions options) {
    return write(Kind.REPLACE, key, content, options);
  }

  @Override
  public Future<Document> merge(String key, JsonObject patch, WriteOptions options) {
    return write(Kind.MERGE, key, patch, options);
  }

  private Future<Document> write(Kind kind, String key, JsonObject content, WriteOptions options) {
    return run(
        key,
        () ->
            new Operation(
                kind, DocumentFormat.JSON.encode(content), DocumentFormat.JSON, null, options),
        outcome -> outcome.state().document(key));
  }

  @Override
  public Future<Document> create(String key, DocumentBody body, WriteOptions options) {
    return write(Kind.CREATE, key, body, options);
  }

  @Override
  public Future<Document> put(String key, DocumentBody body, WriteOptions options) {
    return write(Kind.PUT, key, body, options);
  }

  @Override
  public Future<Document> replace(String key, DocumentBody body, WriteOptions options) {
    return write(Kind.REPLACE, key, body, options);
  }

  private Future<Document> write(Kind kind, String key, DocumentBody body, WriteOptions options) {
    return run(
        key,
        () -> new Operation(kind, body.encoded(), body.format(), null, options),
        outcome -> outcome.state().document(key));
  }

  @Override
  public Future<Written> write(String key, DocumentBody body, WriteOptions options) {
    return run(
        key,
        () -> new Operation(Kind.PUT, body.encoded(), body.format(), null, options),
        outcome -> new Written(outcome.state().document(key), outcome.created()));
  }

  @Override
  public Future<Document> patch(String key, JsonArray patch, WriteOptions options) {
    return run(
        key,
        () -> new Operation(Kind.PATCH, encode(patch), DocumentFormat.JSON, null, options),
        outcome -> outcome.state().document(key));
  }

  private static byte[] encode(JsonArray patch) {
    try {
      return patch.toBuffer().getBytes();
    } catch (RuntimeException | StackOverflowError e) {
      throw new DocumentException(BAD_REQUEST, "the patch cannot be written as JSON", e);
    }
  }

  @Override
  public Future<Document> delete(String key, WriteOptions options) {
    return run(
        key, () -> Operation.of(Kind.DELETE, options), outcome -> outcome.state().document(key));
  }

  @Override
  public Future<JsonObject> act(String key, String action, JsonObject body, WriteOptions options) {
    return run(
        key,
        () ->
            new Operation(
                Kind.ACT,
                body == null ? null : DocumentFormat.JSON.encode(body),
                DocumentFormat.JSON,
                action,
                options),
        Outcome::reply);
  }
}
