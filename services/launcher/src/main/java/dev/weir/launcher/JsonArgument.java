package dev.weir.launcher;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** An argument that is a JSON file, or JSON, as the Vert.x launcher has them. */
public final class JsonArgument {
  private JsonArgument() {}

  /**
   * Reads it.
   *
   * @param flag for the error
   * @throws IllegalArgumentException if it is neither; in one line
   */
  public static JsonObject read(String flag, String fileOrJson) {
    try {
      return new JsonObject(
          fileOrJson.stripLeading().startsWith("{")
              ? fileOrJson
              : Files.readString(Path.of(fileOrJson)));
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          flag + " is " + fileOrJson + ", which is no file that can be read", e);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(flag + " is no valid JSON: " + e.getMessage(), e);
    }
  }
}
