package dev.weir.echo;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.launcher.LaunchedService;
import dev.weir.launcher.Launcher;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program with a service whose handlers end when a file exists. */
final class HeldService implements LaunchedService {
  static final String ADDRESS = "held";
  static final String HANDLING = "handling ";
  private static final long LOOK_MS = 10;

  private final Path signal;

  private HeldService(Path signal) {
    this.signal = signal;
  }

  /** The first argument is the file, the others are those of the program. */
  public static void main(String[] args) {
    Launcher.run(
        new HeldService(Path.of(args[0])),
        List.of(args).subList(1, args.length).toArray(String[]::new));
  }

  @Override
  public String name() {
    return ADDRESS;
  }

  @Override
  public JsonObject defaults() {
    return new JsonObject();
  }

  @Override
  public void configure(JsonObject settings) {
    // It has none.
  }

  @Override
  public Future<?> start(Vertx vertx, Weir weir) {
    return weir.serve(
        ADDRESS,
        new ServiceOptions(),
        message -> {
          System.out.println(HANDLING + message.body());
          Promise<Object> reply = Promise.promise();
          vertx.setPeriodic(
              LOOK_MS,
              timer -> {
                if (Files.exists(signal)) {
                  vertx.cancelTimer(timer);
                  reply.complete(message.body());
                }
              });
          return reply.future();
        });
  }

  @Override
  public void stop() {
    // It has nothing to close.
  }
}
