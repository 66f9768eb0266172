package dev.weir.group.layout;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file beside the logs of a member that says how a service was split when it was first served:
 * with other shards, messages of a key would go to a group that does not have its state.
 */
public final class StoredLayout {
  private static final int VERSION = 1;

  /** In no name of a group. */
  private static final String SUFFIX = "~shards";

  private final Path directory;

  /**
   * @param directory of the member's groups
   */
  public StoredLayout(Path directory) {
    this.directory = directory;
  }

  /**
   * Stores a layout if none is stored, otherwise compares. Of a service of one shard, which is a
   * plain group, only that is compared.
   *
   * @throws IllegalArgumentException if the service was served with another layout in this
   *     directory
   * @throws UncheckedIOException if the file cannot be read or written
   */
  public void check(ShardLayout layout) {
    Path file = directory.resolve(layout.address() + SUFFIX);
    try {
      if (Files.exists(file)) {
        compare(layout, new JsonObject(Buffer.buffer(Files.readAllBytes(file))));
      } else {
        checkNoGroup(layout);
        store(layout, file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compare(ShardLayout layout, JsonObject stored) {
    same("version", VERSION, stored.getInteger("version"));
    same("shards", layout.shards(), stored.getInteger("shards"));
    if (layout.shards() == 1) {
      return;
    }
    same("copies", layout.copies(), stored.getInteger("copies"));
    same("members", new JsonArray(layout.members()), stored.getJsonArray("members"));
  }

  private void same(String name, Object value, Object stored) {
    if (!value.equals(stored)) {
      throw Checks.notAllowed(
          name, value, stored + ", as the service was served from the directory " + directory);
    }
  }

  /** Version 0.1 stored no layout, and kept a group in a directory of its name. */
  private void checkNoGroup(ShardLayout layout) {
    if (layout.shards() > 1 && Files.exists(directory.resolve(layout.address()))) {
      same("shards", layout.shards(), 1);
    }
  }

  private void store(ShardLayout layout, Path file) throws IOException {
    JsonObject json =
        new JsonObject()
            .put("version", VERSION)
            .put("shards", layout.shards())
            .put("copies", layout.copies())
            .put("members", new JsonArray(layout.members()));
    Files.createDirectories(directory);
    Path written = directory.resolve(layout.address() + SUFFIX + ".new");
    Files.writeString(written, json.encodePrettily());
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
