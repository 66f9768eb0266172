package dev.weir.state.call;

import dev.weir.state.Document;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * A document as the body of a message. A receiver on another node gets the bytes as they are kept;
 * they are parsed only for a receiver on this node, or for somebody who looks in between. For one
 * thread.
 */
final class EncodedObject extends JsonObject {
  private final Document document;

  /**
   * @param document kept as JSON
   */
  EncodedObject(Document document) {
    super(new Parsed(document));
    this.document = document;
  }

  @Override
  public Buffer toBuffer() {
    return document.buffer();
  }

  @Override
  public String encode() {
    return document.buffer().toString();
  }

  /** What a receiver on this node gets: an object of its own. */
  @Override
  public JsonObject copy() {
    return document.json();
  }

  /** The members of the document, parsed when somebody asks for them. */
  private static final class Parsed extends AbstractMap<String, Object> {
    private final Document document;

    /** Null until somebody asks. */
    private Map<String, Object> members;

    Parsed(Document document) {
      this.document = document;
    }

    private Map<String, Object> members() {
      if (members == null) {
        members = document.json().getMap();
      }
      return members;
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
      return members().entrySet();
    }

    @Override
    public Object get(Object name) {
      return members().get(name);
    }

    @Override
    public boolean containsKey(Object name) {
      return members().containsKey(name);
    }
  }
}
