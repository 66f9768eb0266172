package dev.weir.state.call;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.Document;
import dev.weir.state.DocumentBody;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFactory;
import dev.weir.state.WriteOptions;
import io.vertx.core.Future;

/** A factory as the routes of HTTP and the event bus serve it. */
public interface ServedFactory extends DocumentFactory {
  /** What was written, and whether there was no document before. */
  record Written(Document document, boolean created) {}

  /** Creates a document or replaces its content, and tells which. */
  Future<Written> write(String key, DocumentBody body, WriteOptions options);

  /** What its options say; they are not copied for each body. */
  int maxDocumentBytes();

  /** Whether the factory has a log of changes. */
  default boolean logsChanges() {
    return false;
  }

  /**
   * Where its streams of changes come from.
   *
   * @throws DocumentException if it never has any
   */
  default ChangeSource streaming() {
    throw new DocumentException(BAD_REQUEST, "factory " + name() + " has no log of changes");
  }
}
