package dev.weir.gateway.admin;

import dev.weir.flow.BackupStatus;
import dev.weir.flow.Weir;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** What an operator may do to copy the data directory of the node. */
final class AdminBackup {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}");

  private final Weir weir;

  AdminBackup(Weir weir) {
    this.weir = weir;
  }

  /** The backup that runs or has run last. */
  JsonObject status() {
    BackupStatus last = weir.backupStatus();
    if (last == null) {
      return new JsonObject().put("state", "none");
    }
    String ended = last.failure() == null ? "done" : "failed";
    return new JsonObject()
        .put("state", last.running() ? "running" : ended)
        .put("target", last.target().toString())
        .put("doneBytes", last.doneBytes())
        .put("totalBytes", last.totalBytes())
        .put("failure", last.failure());
  }

  /** Starts one; the answer does not wait for its end. */
  Future<JsonObject> start(RoutingContext context) {
    Path target = target(context.request().getParam("name"));
    return context
        .vertx()
        .executeBlocking(() -> Files.exists(target), false)
        .map(
            exists -> {
              if (exists) {
                throw refused(target + " exists");
              }
              Future<Long> copied = weir.backup(target);
              if (copied.failed() && copied.cause() instanceof IllegalStateException) {
                throw refused(copied.cause().getMessage());
              }
              AdminRoutes.log(context, "backup to " + target + " started");
              copied.onComplete(
                  done ->
                      AdminRoutes.log(
                          context,
                          "backup to "
                              + target
                              + (done.succeeded()
                                  ? " done, " + done.result() + " bytes"
                                  : " failed: " + done.cause())));
              return status();
            });
  }

  private Path target(String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST,
          "name is " + name + ", allowed are 1 to 100 letters, digits, '_', '.' and '-'");
    }
    String directory = weir.options().getBackupDirectory();
    if (directory == null) {
      throw refused("the node has no backupDirectory");
    }
    return Path.of(directory, name);
  }

  private static ProblemException refused(String why) {
    return new ProblemException(ProblemType.CONFLICT, "no backup is made: " + why);
  }
}
