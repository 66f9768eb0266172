package dev.weir.bench.cluster.documents;

import dev.weir.bench.program.Names;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** What is done to each document, in this order, as in the seed's test of replication. */
enum DocumentAction {
  /** Creates the documents. */
  POST("create", 'a'),
  /** Changes them by a JSON Merge Patch. */
  PATCH("merge", 'b'),
  /** Replaces them. */
  PUT("put", 'c'),
  /** Deletes them. */
  DELETE("delete", ' ');

  /** What a document has as JSON. */
  static final int JSON_BYTES = 330;

  private final String header;
  private final Buffer body;
  private final JsonObject json;

  DocumentAction(String header, char text) {
    this.header = header;
    String padding = String.valueOf(text).repeat(JSON_BYTES - "{\"text\":\"\"}".length());
    this.json = new JsonObject().put("text", padding);
    this.body = text == ' ' ? null : json.toBuffer();
  }

  /** The action of a request over the event bus. */
  String header() {
    return header;
  }

  /** The document or the patch; null for none. Not to be changed. */
  Buffer body() {
    return body;
  }

  /** What the document has afterwards. Not to be changed. */
  JsonObject json() {
    return json;
  }

  /** What an answer shows: what was written; of a deletion what the last put has written. */
  DocumentAction after() {
    return this == DELETE ? PUT : this;
  }

  /** Whether it changes documents that are there, again and again. */
  boolean isUpdate() {
    return this == PATCH || this == PUT;
  }

  @Override
  public String toString() {
    return Names.of(this);
  }
}
