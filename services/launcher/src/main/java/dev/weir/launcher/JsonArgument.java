package dev.weir.launcher;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** An argument that is a JSON file, or JSON, as the Vert.x launcher has them. */
public final class JsonArgument {
  /** Characters that JSON has, and hardly any path. */
  private static final Pattern NO_PATH = Pattern.compile("[{}\"\\n]");

  /** The parser repeats a word that it does not know, which may be a secret without quotes. */
  private static final Pattern WORD = Pattern.compile("(Unrecognized token )'[^']*'");

  private JsonArgument() {}

  /**
   * Reads it. An error does not repeat JSON, which may have secrets in it.
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
          NO_PATH.matcher(fileOrJson).find()
              ? flag + " is neither a file that can be read nor JSON, which begins with {"
              : flag + " is " + fileOrJson + ", which is no file that can be read",
          e);
    } catch (DecodeException e) {
      String why = WORD.matcher(String.valueOf(e.getMessage())).replaceAll("$1'***'");
      throw new IllegalArgumentException(flag + " is no valid JSON: " + why, e);
    }
  }
}
