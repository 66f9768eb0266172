package dev.weir.state;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * A factory of documents: one JSON object per key. Operations on one key run one at a time, in the
 * order of their calls from one thread; those on different keys run in parallel.
 *
 * <p>All methods may be called from any thread and do not block. A JSON body is encoded during the
 * call, so it may be changed afterwards. Futures complete on the caller's event loop, or on one of
 * the store for callers that have none. They fail with {@link DocumentException}, and nothing is
 * changed then, except that after {@link DocumentFailure#STORE_FAILED} a change may have been made.
 *
 * <p>A write completes when it is committed, unless the factory has a {@linkplain
 * FactoryOptions#setCommitIntervalMs commit interval}. A read sees all writes of this factory that
 * completed before it was called.
 */
public interface DocumentFactory {
  /** The name, unique in its {@link Documents}. */
  String name();

  /** The options, copied. */
  FactoryOptions options();

  /** Reads a document; fails with {@code NOT_FOUND} if there is none. */
  Future<Document> get(String key);

  /**
   * Reads a version of a document: the current one, or an earlier one that is {@linkplain
   * FactoryOptions#setHistoryVersions kept}. Fails with {@code NOT_FOUND} if there is no document,
   * or not this version of it.
   *
   * @param version 1 or more
   * @throws IllegalArgumentException for another number
   */
  Future<Document> get(String key, long version);

  /**
   * The versions of a document that are {@linkplain FactoryOptions#setHistoryVersions kept}, the
   * current one among them, the newest first. Fails with {@code NOT_FOUND} if there is no document,
   * with {@code BAD_REQUEST} if the factory keeps no versions. In a factory with a commit interval
   * the list has what is committed.
   */
  Future<List<DocumentVersion>> versions(String key);

  /** Creates a document; fails with {@code EXISTS} if there is one. */
  Future<Document> create(String key, JsonObject content, WriteOptions options);

  /** Creates a document of an encoded body, which is kept as it is. */
  Future<Document> create(String key, DocumentBody body, WriteOptions options);

  /** Creates a document, or replaces its content, by an encoded body, which is kept as it is. */
  Future<Document> put(String key, DocumentBody body, WriteOptions options);

  /** Replaces a document by an encoded body, which is kept as it is. */
  Future<Document> replace(String key, DocumentBody body, WriteOptions options);

  /** Creates a document, or replaces its content. */
  Future<Document> put(String key, JsonObject content, WriteOptions options);

  /** Replaces the content of a document; fails with {@code NOT_FOUND} if there is none. */
  Future<Document> replace(String key, JsonObject content, WriteOptions options);

  /** Changes a document by a JSON Merge Patch (RFC 7396). */
  Future<Document> merge(String key, JsonObject patch, WriteOptions options);

  /**
   * Changes a document by a JSON Patch (RFC 6902), all of it or nothing; fails with {@code
   * PATCH_FAILED} if the patch cannot be applied.
   */
  Future<Document> patch(String key, JsonArray patch, WriteOptions options);

  /** Deletes a document and returns what it was; fails with {@code NOT_FOUND} if there is none. */
  Future<Document> delete(String key, WriteOptions options);

  /**
   * Runs an {@linkplain FactoryRules#addAction action} and returns its reply.
   *
   * @param body null for an empty object
   */
  Future<JsonObject> act(String key, String action, JsonObject body, WriteOptions options);

  /**
   * Finds documents, a page at a time. A document that is changed meanwhile may be missing, or be
   * on two pages; all others that match are there, among them each whose write completed before the
   * call. In a factory with a commit interval that is so for what is committed.
   */
  Future<QueryPage> query(Query query);

  /**
   * Reads the changes of documents from the {@linkplain FactoryOptions#setChangeLogBytes log}, in
   * the order of their commits, a page at a time. With the position of each page as the start of
   * the next one a reader gets each change once, also over restarts of the store. All changes whose
   * writes completed before the call are there, up to the end of the page; nothing that is not
   * committed is.
   *
   * <p>A reader that takes its time holds nothing up: the log deletes what is too old. Then the
   * call fails with {@code CHANGES_GONE}, and the reader has to read the documents anew. It fails
   * with {@code BAD_REQUEST} if the factory has no log, with {@code BUSY} if {@linkplain
   * DocumentsOptions#setMaxStreams too many} wait.
   */
  Future<ChangePage> changes(ChangeQuery query);

  /** Counts the documents that match; the sort, the limit and the cursor do not count. */
  Future<Long> count(Query query);

  /** Figures of this factory. */
  FactoryStats stats();

  /** Creates a document with the options of the factory. */
  default Future<Document> create(String key, JsonObject content) {
    return create(key, content, WriteOptions.DEFAULT);
  }

  /** Creates or replaces a document with the options of the factory. */
  default Future<Document> put(String key, JsonObject content) {
    return put(key, content, WriteOptions.DEFAULT);
  }

  /** Replaces a document with the options of the factory. */
  default Future<Document> replace(String key, JsonObject content) {
    return replace(key, content, WriteOptions.DEFAULT);
  }

  /** Changes a document of any version by a JSON Merge Patch. */
  default Future<Document> merge(String key, JsonObject patch) {
    return merge(key, patch, WriteOptions.DEFAULT);
  }

  /** Changes a document of any version by a JSON Patch. */
  default Future<Document> patch(String key, JsonArray patch) {
    return patch(key, patch, WriteOptions.DEFAULT);
  }

  /** Deletes a document of any version. */
  default Future<Document> delete(String key) {
    return delete(key, WriteOptions.DEFAULT);
  }

  /** Runs an action on a document of any version. */
  default Future<JsonObject> act(String key, String action, JsonObject body) {
    return act(key, action, body, WriteOptions.DEFAULT);
  }
}
