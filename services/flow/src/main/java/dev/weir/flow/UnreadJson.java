package dev.weir.flow;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes bodies of JSON that keep the text they came as, and are parsed when somebody asks for a
 * value of them. The event bus takes such a body for a {@link JsonObject} or a {@link JsonArray},
 * does not copy it, and sends its text to another node. A handler of a class gets an object that
 * was mapped from the text, and one of bytes the text, unless the message was on disk or came from
 * another node: then the text is written anew. As for {@link NoCopyBody}, the sender does not use
 * the body or its text again, and gives it to one receiver.
 *
 * <p>The methods: any thread, not blocking. A body: one thread at a time changes it; a copy of it
 * does not keep the order of its members.
 */
public final class UnreadJson {
  private UnreadJson() {}

  /**
   * The object or the array that a text holds.
   *
   * @param text UTF-8, not null. If it is no JSON, whoever asks for a value gets a {@link
   *     io.vertx.core.json.DecodeException}.
   * @return a JsonObject or a JsonArray; null for a text that begins neither an object nor an array
   */
  public static Object of(Buffer text) {
    return switch (first(text)) {
      case '{' -> new UnreadObject(new Members(text));
      case '[' -> new UnreadArray(new Elements(text));
      default -> null;
    };
  }

  /**
   * The text of a body of which nobody has asked for a value.
   *
   * @param body may be null
   * @return null for any other body
   */
  public static Buffer text(Object body) {
    if (body instanceof JsonObject object) {
      return object.getMap() instanceof Members members ? members.text : null;
    }
    return body instanceof JsonArray array && array.getList() instanceof Elements elements
        ? elements.text
        : null;
  }

  private static int first(Buffer text) {
    for (int i = 0; i < text.length(); i++) {
      byte at = text.getByte(i);
      if (at != ' ' && at != '\n' && at != '\r' && at != '\t') {
        return at;
      }
    }
    return 0;
  }

  private static final class UnreadObject extends JsonObject {
    UnreadObject(Map<String, Object> members) {
      super(members);
    }

    @Override
    public JsonObject copy() {
      return new JsonObject(getMap());
    }

    @Override
    public Buffer toBuffer() {
      Buffer text = text(this);
      return text == null ? super.toBuffer() : text;
    }
  }

  private static final class UnreadArray extends JsonArray {
    UnreadArray(List<Object> elements) {
      super(elements);
    }

    @Override
    public JsonArray copy() {
      return new JsonArray(getList());
    }

    @Override
    public Buffer toBuffer() {
      Buffer text = text(this);
      return text == null ? super.toBuffer() : text;
    }
  }

  private static final class Members extends AbstractMap<String, Object> {
    /** Null once it was parsed. */
    private Buffer text;

    /** Null before. */
    private Map<String, Object> members;

    Members(Buffer text) {
      this.text = text;
    }

    /** Locked: a receiver that does not know of this may read on several threads. */
    private synchronized Map<String, Object> members() {
      if (members == null) {
        members = ((JsonObject) Json.decodeValue(text)).getMap();
        text = null;
      }
      return members;
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
      return members().entrySet();
    }

    @Override
    public boolean containsKey(Object key) {
      return members().containsKey(key);
    }

    @Override
    public Object get(Object key) {
      return members().get(key);
    }

    @Override
    public Object put(String key, Object value) {
      return members().put(key, value);
    }

    @Override
    public Object remove(Object key) {
      return members().remove(key);
    }
  }

  private static final class Elements extends AbstractList<Object> {
    /** Null once it was parsed. */
    private Buffer text;

    /** Null before. */
    private List<Object> elements;

    Elements(Buffer text) {
      this.text = text;
    }

    @SuppressWarnings("unchecked")
    private synchronized List<Object> elements() {
      if (elements == null) {
        elements = ((JsonArray) Json.decodeValue(text)).getList();
        text = null;
      }
      return elements;
    }

    @Override
    public int size() {
      return elements().size();
    }

    @Override
    public Object get(int index) {
      return elements().get(index);
    }

    @Override
    public Object set(int index, Object value) {
      return elements().set(index, value);
    }

    @Override
    public void add(int index, Object value) {
      elements().add(index, value);
    }

    @Override
    public Object remove(int index) {
      return elements().remove(index);
    }
  }
}
