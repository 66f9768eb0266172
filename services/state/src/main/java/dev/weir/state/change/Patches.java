package dev.weir.state.change;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.PATCH_FAILED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.state.DocumentException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.json.JsonException;
import jakarta.json.JsonPointer;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonStructure;
import jakarta.json.JsonWriter;
import jakarta.json.spi.JsonProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.eclipse.parsson.JsonProviderImpl;

/** JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902). */
final class Patches {
  private static final JsonProvider PROVIDER = new JsonProviderImpl();
  private static final JsonReaderFactory READERS = PROVIDER.createReaderFactory(Map.of());

  private Patches() {}

  /**
   * Applies a merge patch.
   *
   * @param current changed by the call
   * @param patch an object; a patch of another type would replace the document by that type
   */
  static JsonObject merge(JsonObject current, JsonObject patch) {
    for (String name : patch.fieldNames()) {
      Object value = patch.getValue(name);
      if (value == null) {
        current.remove(name);
      } else if (value instanceof JsonObject inner) {
        Object old = current.getValue(name);
        JsonObject base = old instanceof JsonObject object ? object : new JsonObject();
        current.put(name, merge(base, inner));
      } else {
        current.put(name, value);
      }
    }
    return current;
  }

  /**
   * Applies a JSON Patch, all of it or nothing.
   *
   * @param maxBytes a patched document that would have more bytes is refused
   */
  static JsonObject patch(byte[] current, byte[] body, int maxBytes) {
    JsonArray patch = array(body);
    JsonStructure result = read(current);
    for (int i = 0; i < patch.size(); i++) {
      if (!(patch.getValue(i) instanceof JsonObject step)) {
        throw new DocumentException(
            BAD_REQUEST, "operation " + i + " of the patch is not an object");
      }
      try {
        result = apply(result, step);
      } catch (RuntimeException e) {
        throw new DocumentException(
            PATCH_FAILED, "operation " + i + " of the patch failed: " + firstLine(e));
      }
    }
    if (result instanceof jakarta.json.JsonObject) {
      return written(result, maxBytes);
    }
    throw new DocumentException(PATCH_FAILED, "the patch makes an array of the document");
  }

  /** Steps share values, so a small structure may be a very large document. */
  private static JsonObject written(JsonStructure result, int maxBytes) {
    BoundedBytes bytes = new BoundedBytes(maxBytes);
    try (JsonWriter writer = PROVIDER.createWriter(bytes)) {
      writer.write(result);
    } catch (StackOverflowError e) {
      throw nested();
    }
    try {
      return new JsonObject(Buffer.buffer(bytes.toByteArray()));
    } catch (DecodeException e) {
      throw nested();
    }
  }

  private static DocumentException nested() {
    return new DocumentException(PATCH_FAILED, "the patched document is nested too deeply");
  }

  private static final class BoundedBytes extends ByteArrayOutputStream {
    private final int maxBytes;

    BoundedBytes(int maxBytes) {
      this.maxBytes = maxBytes;
    }

    @Override
    public synchronized void write(int each) {
      require(1);
      super.write(each);
    }

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
      require(length);
      super.write(from, offset, length);
    }

    private void require(int more) {
      if (more > maxBytes - count) {
        throw new DocumentException(
            TOO_LARGE, "the patched document would have more than " + maxBytes + " bytes");
      }
    }
  }

  private static JsonArray array(byte[] body) {
    try {
      return new JsonArray(Buffer.buffer(body));
    } catch (DecodeException | NullPointerException e) {
      throw new DocumentException(BAD_REQUEST, "a JSON Patch is an array of operations");
    }
  }

  private static JsonStructure apply(JsonStructure target, JsonObject step) {
    if ("move".equals(step.getValue("op"))) {
      return move(target, text(step, "from"), text(step, "path"));
    }
    JsonStructure one = read(new JsonArray().add(step).toBuffer().getBytes());
    return PROVIDER.createPatch(one.asJsonArray()).apply(target);
  }

  /** Parsson takes a name that begins with another one for a place within it, and refuses. */
  private static JsonStructure move(JsonStructure target, String from, String to) {
    if (to.startsWith(from + "/")) {
      throw new JsonException(from + " cannot be moved into itself");
    }
    JsonPointer source = PROVIDER.createPointer(from);
    jakarta.json.JsonValue value = source.getValue(target);
    return from.equals(to) ? target : PROVIDER.createPointer(to).add(source.remove(target), value);
  }

  private static String text(JsonObject step, String member) {
    if (step.getValue(member) instanceof String text) {
      return text;
    }
    throw new JsonException("the member " + member + " is missing or no text");
  }

  private static JsonStructure read(byte[] json) {
    try (JsonReader reader = READERS.createReader(new ByteArrayInputStream(json))) {
      return reader.read();
    }
  }

  private static String firstLine(RuntimeException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
