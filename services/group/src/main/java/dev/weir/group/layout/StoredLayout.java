package dev.weir.group.layout;

import dev.weir.group.placement.ShardPlaces;
import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A file beside the logs of a member that says how a service was split when it was first served:
 * with other shards, messages of a key would go to a group that does not have its state. When
 * shards have moved, the file also says which replicas the member holds. Any thread.
 *
 * <p>Version 1 does not list the replicas: they are those of the layout. Version 3 is that of a
 * service with witnesses.
 */
public final class StoredLayout {
  private static final int FIRST_VERSION = 1;
  private static final int MOVED_VERSION = 2;
  private static final int WITNESS_VERSION = 3;

  /** In no name of a group. */
  private static final String SUFFIX = "~shards";

  private static final String HELD = "held";
  private static final String DROPPED = "dropped";
  private static final String WITNESS = "witness";
  private static final String PLACES = "places";

  private final Path directory;
  private final ShardLayout layout;

  /** By shard: the members with which the replica of this member was started. */
  private final Map<Integer, ShardPlaces> held = new TreeMap<>();

  /** Shards whose logs are to be deleted here. */
  private final Set<Integer> dropped = new TreeSet<>();

  /**
   * Begins with what the layout has for a member.
   *
   * @param directory of the member's groups
   * @param self name of the member
   */
  public StoredLayout(Path directory, ShardLayout layout, String self) {
    this.directory = directory;
    this.layout = layout;
    for (int shard = 0; shard < layout.shards(); shard++) {
      if (layout.places(shard).members().contains(self)) {
        held.put(shard, layout.places(shard));
      }
    }
  }

  /**
   * Stores the layout if none is stored, otherwise compares, and reads what the member holds. Of a
   * service of one shard only the number is compared.
   *
   * @return whether none was stored
   * @throws IllegalArgumentException if the service was served with another layout in this
   *     directory
   * @throws UncheckedIOException if the file cannot be read or written
   */
  public synchronized boolean check() {
    try {
      if (Files.exists(file())) {
        JsonObject stored = new JsonObject(Buffer.buffer(Files.readAllBytes(file())));
        compare(stored);
        read(stored);
        return false;
      }
      checkNoGroup();
      store(layout.hasWitnesses() ? WITNESS_VERSION : FIRST_VERSION);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file() {
    return directory.resolve(layout.address() + SUFFIX);
  }

  private void compare(JsonObject stored) {
    if (stored.getInteger("version") > WITNESS_VERSION) {
      same("version", WITNESS_VERSION, stored.getInteger("version"));
    }
    same("shards", layout.shards(), stored.getInteger("shards"));
    same(WITNESS, layout.hasWitnesses(), stored.getBoolean(WITNESS, false));
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

  private void read(JsonObject stored) {
    if (stored.containsKey(HELD)) {
      held.clear();
      stored
          .getJsonObject(HELD)
          .forEach(entry -> held.put(Integer.valueOf(entry.getKey()), places(entry.getValue())));
      stored.getJsonArray(DROPPED).forEach(shard -> dropped.add((Integer) shard));
    }
  }

  /** Without a witness the places alone, as versions have it that do not know witnesses. */
  private static Object json(ShardPlaces places) {
    JsonArray names = new JsonArray(places.names());
    return places.witness() == null
        ? names
        : new JsonObject().put(PLACES, names).put(WITNESS, places.witness());
  }

  private static ShardPlaces places(Object json) {
    return json instanceof JsonObject named
        ? new ShardPlaces(texts(named.getJsonArray(PLACES)), named.getString(WITNESS))
        : ShardPlaces.of(texts((JsonArray) json));
  }

  private static List<String> texts(JsonArray array) {
    return array.stream().map(String::valueOf).toList();
  }

  /** Version 0.1 stored no layout, and kept a group in a directory of its name. */
  private void checkNoGroup() {
    if (layout.shards() > 1 && Files.exists(directory.resolve(layout.address()))) {
      same("shards", layout.shards(), 1);
    }
  }

  /** By shard: the members with which the replica here was started. */
  public synchronized Map<Integer, ShardPlaces> held() {
    return new TreeMap<>(held);
  }

  /** How many shards this member holds. */
  public synchronized int heldCount() {
    return held.size();
  }

  /** Shards that this member does not hold any more, whose logs may still be there. */
  public synchronized Set<Integer> dropped() {
    return new TreeSet<>(dropped);
  }

  /**
   * Notes that this member holds a shard, before its replica starts.
   *
   * @param places the members with which it starts
   * @throws UncheckedIOException if the file cannot be written; then nothing is noted
   */
  public synchronized void hold(int shard, ShardPlaces places) {
    if (!places.equals(held.get(shard))) {
      ShardPlaces before = held.put(shard, places);
      try {
        store(movedVersion());
      } catch (IOException e) {
        held.remove(shard);
        if (before != null) {
          held.put(shard, before);
        }
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Notes that the log of a shard is about to be deleted.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public synchronized void drop(int shard) {
    held.remove(shard);
    dropped.add(shard);
    storeMoved();
  }

  /**
   * Notes that the log of a dropped shard is deleted.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public synchronized void deleted(int shard) {
    dropped.remove(shard);
    storeMoved();
  }

  /**
   * Notes what this member holds in place of all that was noted, before any replica starts.
   *
   * @param shards by shard: the members with which its replica starts
   * @throws UncheckedIOException if the file cannot be written
   */
  public synchronized void holdOnly(Map<Integer, ShardPlaces> shards) {
    if (!held.equals(shards)) {
      held.clear();
      held.putAll(shards);
      storeMoved();
    }
  }

  private void storeMoved() {
    try {
      store(movedVersion());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int movedVersion() {
    return layout.hasWitnesses() ? WITNESS_VERSION : MOVED_VERSION;
  }

  private void store(int version) throws IOException {
    JsonObject json =
        new JsonObject()
            .put("version", version)
            .put("shards", layout.shards())
            .put("copies", layout.copies())
            .put("members", new JsonArray(layout.members()));
    if (layout.hasWitnesses()) {
      json.put(WITNESS, true);
    }
    if (version > FIRST_VERSION) {
      JsonObject shards = new JsonObject();
      held.forEach((shard, places) -> shards.put("" + shard, json(places)));
      json.put(HELD, shards).put(DROPPED, new JsonArray(List.copyOf(dropped)));
    }
    Files.createDirectories(directory);
    Path written = directory.resolve(layout.address() + SUFFIX + ".new");
    Files.writeString(written, json.encodePrettily());
    force(written);
    Files.move(
        written, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    force(directory);
  }

  /** An empty file after a loss of power would keep the member from starting. */
  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
