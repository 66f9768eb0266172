package dev.weir.state;

import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The process that {@link CrashTest} kills. It reads what its directory has, then writes until it
 * is killed; or, without a durability, ends. Lines:
 *
 * <pre>
 * F key version n   a document that was found; n is what it counts
 * N key             a key without a document
 * Q count found     what a query by the index counts, and how many of these it finds by their value
 * R                 all was read
 * A key version     a patch was acknowledged
 * C key n           an addition was acknowledged
 * D key version     a deletion was acknowledged
 * E text            the disk failed an operation
 * X text            what must not happen
 * </pre>
 */
final class CrashChild {
  static final int KEYS = 40;

  /** Keys from this one on are deleted and created again and again. */
  static final int FIRST_SHORT = 30;

  /** Versions that are kept beside the current one. */
  private static final int EARLIER = 3;

  private final Vertx vertx = Vertx.vertx();
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  /** Null for none. */
  private FileOutputStream marks;

  private final Documents documents;
  private final DocumentFactory counts;
  private final Random random = new Random();

  /** What was found at the start, by key. */
  private final Map<String, Long> found = new HashMap<>();

  private CrashChild(String directory, Durability durability) throws Exception {
    documents =
        Documents.open(
                vertx,
                new DocumentsOptions()
                    .setDirectory(directory)
                    .setLogFileBytes(1 << 20)
                    .setMinFreeBytes(1 << 20))
            .await();
    FactoryRules rules =
        new FactoryRules()
            .addAction(
                "add",
                (current, body) -> {
                  int n = current == null ? 1 : current.json().getInteger("n") + 1;
                  JsonObject content =
                      new JsonObject().put("n", n).put("text", "x".repeat(n % 900));
                  return ActionResult.write(content, new JsonObject().put("n", n));
                });
    counts =
        documents
            .factory(
                "counts",
                new FactoryOptions()
                    .setDurability(durability)
                    .setIndexes(List.of("n"))
                    .setHistoryVersions(EARLIER)
                    .setChangeLogBytes(64 << 20),
                rules)
            .await();
  }

  /**
   * @param args the directory; the durability, if any; a file that gets the lines too, if any
   */
  public static void main(String[] args) throws Exception {
    Durability durability = args.length > 1 ? Durability.valueOf(args[1]) : Durability.PROCESS;
    CrashChild child = new CrashChild(args[0], durability);
    child.marks = args.length > 2 ? new FileOutputStream(args[2], true) : null;
    for (int i = 0; i < KEYS; i++) {
      child.read("key-" + i);
    }
    child.query();
    child.checkChanges();
    child.print("R");
    if (args.length == 1) {
      child.documents.close().await();
      child.vertx.close().await();
      return;
    }
    for (int i = 0; i < KEYS; i++) {
      child.count("key-" + i, i >= FIRST_SHORT);
    }
  }

  private void read(String key) {
    try {
      Document document = counts.get(key).await();
      print("F " + key + " " + document.version() + " " + document.json().getInteger("n"));
      found.put(key, document.version());
      checkKept(document);
    } catch (DocumentException e) {
      print(e.failure() == DocumentFailure.NOT_FOUND ? "N " + key : "X " + e);
    }
  }

  /** The kept versions begin with the current one, and have no gap. */
  private void checkKept(Document document) {
    List<DocumentVersion> kept = counts.versions(document.key()).await();
    boolean right = !kept.isEmpty() && kept.size() <= EARLIER + 1;
    for (int i = 0; i < kept.size(); i++) {
      long version = document.version() - i;
      right &= kept.get(i).version() == version;
      right &= counts.get(document.key(), version).await().version() == version;
    }
    if (!right) {
      print("X " + document + " has the versions " + kept);
    }
  }

  /** The last change of each key in the log is what the key has now, and versions only grow. */
  private void checkChanges() {
    Map<String, Long> logged = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    ChangeQuery query = new ChangeQuery().setFrom(0).setLimit(ChangeQuery.MAX_LIMIT);
    ChangePage page;
    try {
      do {
        page = counts.changes(query).await();
        for (DocumentChange each : page.changes()) {
          boolean deleted = each.kind() == DocumentChange.Kind.DELETE;
          Long before = last.put(each.key(), each.version());
          if (before != null && each.version() < before + (deleted ? 0 : 1)) {
            print("X " + each + " comes after version " + before);
          }
          logged.put(each.key(), each.version());
          if (deleted) {
            logged.remove(each.key());
          }
        }
        query.setFrom(page.position());
      } while (!page.changes().isEmpty());
    } catch (DocumentException e) {
      // After very many rounds the log does not have its first changes any more.
      if (e.failure() != DocumentFailure.CHANGES_GONE) {
        print("X " + e);
      }
      return;
    }
    if (!logged.equals(found)) {
      print("X the log ends with " + logged + ", found was " + found);
    }
  }

  private void query() throws Exception {
    long count = counts.count(new Query().setFilter("n > 0")).await();
    QueryPage all = counts.query(new Query().setSort("n").setLimit(KEYS)).await();
    int found = 0;
    for (Document document : all.documents()) {
      String equal = "n = " + document.json().getInteger("n");
      QueryPage page = counts.query(new Query().setFilter(equal)).await();
      found +=
          page.documents().stream().anyMatch(each -> each.key().equals(document.key())) ? 1 : 0;
    }
    print("Q " + count + " " + found);
  }

  /** Three writes are under way for each key, so that they wait for each other's commits. */
  private void count(String key, boolean isShort) {
    for (int i = 0; i < 3; i++) {
      next(key, isShort);
    }
  }

  private void next(String key, boolean isShort) {
    int choice = random.nextInt(3);
    Future<?> step;
    if (choice == 0) {
      step =
          counts
              .act(key, "add", null)
              .onSuccess(reply -> print("C " + key + " " + reply.getInteger("n")));
    } else if (choice == 1 && isShort) {
      step = counts.delete(key).onSuccess(gone -> print("D " + key + " " + gone.version()));
    } else {
      step =
          counts
              .merge(key, new JsonObject().put("m", choice))
              .onSuccess(after -> print("A " + key + " " + after.version()));
    }
    step.onComplete(
        done -> {
          if (done.succeeded() || is(done.cause(), DocumentFailure.NOT_FOUND)) {
            next(key, isShort);
          } else if (is(done.cause(), DocumentFailure.STORE_FAILED)
              || is(done.cause(), DocumentFailure.DISK_FULL)) {
            print("E " + done.cause().getMessage());
            vertx.setTimer(5, again -> next(key, isShort));
          } else {
            print("X " + done.cause());
          }
        });
  }

  private static boolean is(Throwable failure, DocumentFailure expected) {
    return failure instanceof DocumentException refused && refused.failure() == expected;
  }

  /** In one write and at once: what is printed outlives a kill, and no line is cut. */
  private void print(String line) {
    try {
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
      if (marks != null) {
        marks.write(bytes);
      }
      out.write(bytes);
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
