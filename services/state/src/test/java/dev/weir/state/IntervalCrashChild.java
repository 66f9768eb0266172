package dev.weir.state;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;

/**
 * The process that {@link IntervalCrashTest} kills. Chains of operations write to a factory with a
 * commit interval, and the last chain to one without, each operation after the acknowledgement of
 * the one before it. Each document says what its writer knew of the other chains. Without an
 * interval the process prints what its directory has, and ends. Lines:
 *
 * <pre>
 * A chain n ms         operation n of a chain was acknowledged; of the others every {@value
 *                      #ACKNOWLEDGED_STEP}th is printed
 * S n n n              the last operation of each chain that a query found committed
 * F key n n n n n      a document that was found: its operation, and those that its writer knew of
 * R                    all was found
 * X text               what must not happen
 * </pre>
 */
final class IntervalCrashChild {
  static final int CHAINS = 4;

  /** The chain whose factory has no interval. */
  static final int SAFE_CHAIN = CHAINS - 1;

  static final int KEYS = 8;
  private static final int ACKNOWLEDGED_STEP = 50;
  private static final int LOOK_MS = 5;

  private final Vertx vertx = Vertx.vertx();
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
  private final AtomicIntegerArray begun = new AtomicIntegerArray(CHAINS);
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(CHAINS);
  private final Documents documents;
  private final DocumentFactory lazy;
  private final DocumentFactory safe;

  private IntervalCrashChild(String directory, long intervalMs) throws Exception {
    documents =
        Documents.open(
                vertx,
                new DocumentsOptions()
                    .setDirectory(directory)
                    .setThreads(3)
                    .setLogFileBytes(1 << 20)
                    .setMinFreeBytes(1 << 20))
            .await();
    FactoryOptions options = new FactoryOptions().setIndexes(List.of("n"));
    lazy = documents.factory("lazy", options.setCommitIntervalMs(intervalMs)).await();
    safe = documents.factory("safe", new FactoryOptions().setIndexes(List.of("n"))).await();
  }

  /**
   * @param args the directory; the interval, if any; {@code safe} if the last chain writes too
   */
  public static void main(String[] args) throws Exception {
    boolean writes = args.length > 1;
    IntervalCrashChild child =
        new IntervalCrashChild(args[0], writes ? Long.parseLong(args[1]) : 0);
    if (!writes) {
      child.found(child.lazy);
      child.found(child.safe);
      child.print("R");
      child.documents.close().await();
      child.vertx.close().await();
      return;
    }
    int chains = args.length > 2 ? CHAINS : SAFE_CHAIN;
    for (int chain = 0; chain < chains; chain++) {
      child.next(chain, 1);
    }
    child.look();
  }

  /** The key of an operation. */
  static String key(int chain, int n) {
    return chain + "-" + n % KEYS;
  }

  /** Whether an operation is a deletion, or else a put. */
  static boolean isDeletion(int chain, int n) {
    return chain != SAFE_CHAIN && n % 5 == 4;
  }

  private DocumentFactory factory(int chain) {
    return chain == SAFE_CHAIN ? safe : lazy;
  }

  /** Looks at what another chain has written last, then writes. */
  private void next(int chain, int n) {
    int other = (chain + 1 + n % (CHAINS - 1)) % CHAINS;
    factory(other)
        .get(key(other, begun.get(other)))
        .map(found -> found.json().getInteger("n"))
        .otherwise(0)
        .compose(read -> run(chain, n, other, read))
        .onComplete(
            done -> {
              if (done.failed() && !isAbsent(done.cause())) {
                print("X " + done.cause());
                return;
              }
              acknowledged.set(chain, n);
              if (chain == SAFE_CHAIN || n % ACKNOWLEDGED_STEP == 0) {
                print("A " + chain + " " + n + " " + System.nanoTime() / 1_000_000);
              }
              next(chain, n + 1);
            });
  }

  private static boolean isAbsent(Throwable failure) {
    return failure instanceof DocumentException refused
        && refused.failure() == DocumentFailure.NOT_FOUND;
  }

  private Future<?> run(int chain, int n, int other, int read) {
    begun.set(chain, n);
    String key = key(chain, n);
    if (isDeletion(chain, n)) {
      return factory(chain).delete(key);
    }
    JsonArray known = new JsonArray();
    for (int each = 0; each < CHAINS; each++) {
      known.add(Math.max(acknowledged.get(each), each == other ? read : 0));
    }
    return factory(chain).put(key, new JsonObject().put("n", n).put("known", known));
  }

  /** Queries what is committed, again and again. */
  private void look() {
    lazy.query(new Query().setLimit(CHAINS * KEYS))
        .onFailure(failure -> print("X " + failure))
        .onSuccess(
            page -> {
              int[] last = new int[SAFE_CHAIN];
              for (Document found : page.documents()) {
                int chain = found.key().charAt(0) - '0';
                last[chain] = Math.max(last[chain], found.json().getInteger("n"));
              }
              print(
                  "S "
                      + Arrays.stream(last)
                          .mapToObj(Integer::toString)
                          .collect(Collectors.joining(" ")));
              vertx.setTimer(LOOK_MS, again -> look());
            });
  }

  /** The documents, as the index by n has them. */
  private void found(DocumentFactory factory) throws Exception {
    QueryPage page = factory.query(new Query().setSort("n").setLimit(CHAINS * KEYS)).await();
    for (Document each : page.documents()) {
      JsonObject content = factory.get(each.key()).await().json();
      String known =
          content.getJsonArray("known").stream()
              .map(String::valueOf)
              .collect(Collectors.joining(" "));
      print("F " + each.key() + " " + content.getInteger("n") + " " + known);
    }
    if (factory.count(new Query()).await() != page.documents().size()) {
      print("X the index of " + factory.name() + " has not all documents");
    }
  }

  /** In one write and at once: what is printed outlives a kill, and no line is cut. */
  private void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
