package dev.weir.gateway.security;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files at intervals and uses their contents after a change. Contents that cannot be used are
 * reported once and not tried again until they change; the previous contents stay in use.
 */
final class WatchedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final String what;
  private final List<String> paths;
  private final Function<List<Buffer>, Future<Void>> user;
  private final AtomicBoolean polling = new AtomicBoolean();
  private volatile List<Buffer> tried;

  /** Why the contents that were tried last are not in use, or null. */
  private volatile Throwable refused;

  /** What was logged last, or null if all is well. */
  private volatile String complaint;

  private long timer = NO_TIMER;

  /**
   * @param what they are together, for the log
   * @param contents what was in them when they were first used
   * @param user uses new contents, in the order of the paths
   */
  WatchedFiles(
      Vertx vertx,
      String what,
      List<String> paths,
      List<Buffer> contents,
      Function<List<Buffer>, Future<Void>> user) {
    this.vertx = vertx;
    this.what = what;
    this.paths = List.copyOf(paths);
    this.tried = contents;
    this.user = user;
  }

  /** Fails with what the file system says, which names the file. */
  static Future<List<Buffer>> read(Vertx vertx, List<String> paths) {
    return Future.all(paths.stream().map(vertx.fileSystem()::readFile).toList())
        .map(all -> all.<Buffer>list());
  }

  /** 0 for never. */
  void watchEvery(long intervalMs) {
    if (intervalMs > 0) {
      timer = vertx.setPeriodic(intervalMs, id -> poll());
    }
  }

  /** One look at a time: a slow file system must not pile them up. */
  private void poll() {
    if (polling.compareAndSet(false, true)) {
      reload().onComplete(done -> polling.set(false));
    }
  }

  /**
   * Looks at the files now.
   *
   * @return true if there was something new, which is in use from now on
   */
  Future<Boolean> reload() {
    return read(vertx, paths)
        .compose(this::use)
        .onSuccess(changed -> complaint = null)
        .onFailure(this::report);
  }

  private Future<Boolean> use(List<Buffer> contents) {
    if (contents.equals(tried)) {
      return refused == null ? Future.succeededFuture(false) : Future.failedFuture(refused);
    }
    return user.apply(contents)
        .map(true)
        .onSuccess(changed -> LOG.info("{} reloaded from {}", what, paths))
        .onComplete(
            done -> {
              refused = done.cause();
              tried = contents;
            });
  }

  private void report(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (!message.equals(complaint)) {
      complaint = message;
      LOG.error(
          "{} in {} cannot be used; the previous contents stay in use: {}", what, paths, message);
    }
  }

  void close() {
    vertx.cancelTimer(timer);
  }
}
