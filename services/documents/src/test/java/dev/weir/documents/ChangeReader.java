package dev.weir.documents;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Follows the changes of a factory as a browser does: when its stream ends, it goes on at another
 * member with the last position. Each version of a document has to come once, after the one before.
 */
final class ChangeReader {
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final StoreMembers members;
  private final String path;
  private final Thread thread = new Thread(this::follow, "change-reader");

  /** The last version of each document. */
  private final Map<String, Long> versions = new ConcurrentHashMap<>();

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private String position = "0";
  private volatile boolean stopped;

  ChangeReader(StoreMembers members, String path) {
    this.members = members;
    this.path = path;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void stop() {
    stopped = true;
  }

  Map<String, Long> versions() {
    return versions;
  }

  /** What came twice, or too soon. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  private void follow() {
    for (int attempt = 0; !stopped; attempt++) {
      List<String> serving = members.serving();
      if (!serving.isEmpty()) {
        try (Stream<String> lines =
            members.stream(serving.get(attempt % serving.size()), path, position)) {
          read(lines.iterator());
        } catch (UncheckedIOException e) {
          // The member was killed: the next one goes on.
        }
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  private void read(Iterator<String> lines) {
    String id = position;
    JsonObject change = null;
    while (!stopped && lines.hasNext()) {
      String line = lines.next();
      if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("data: ")) {
        change = new JsonObject(line.substring(6));
      } else if (line.isEmpty()) {
        // What is cut off before comes again.
        if (change != null) {
          take(change);
        }
        change = null;
        position = id;
      }
    }
  }

  private void take(JsonObject change) {
    String key = change.getString("key");
    long version = change.getLong("version");
    Long before = versions.put(key, version);
    if (version != (before == null ? 0 : before) + 1) {
      wrong.add(key + ": version " + version + " after " + before);
    }
  }
}
