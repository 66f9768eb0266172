package dev.weir.launcher;

import dev.weir.queue.QueueStore;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.util.logging.Level;
import java.util.stream.Stream;

/**
 * Runs a service with its gateway as a program, with the flags of the Vert.x launcher, until
 * SIGTERM or SIGINT. Then it accepts nothing more, completes accepted messages within the time for
 * it, closes its files, leaves the cluster, and ends with {@link ExitCodes#STOPPED}. A mistake of
 * the user's is one line on the standard error. With {@code shards} or {@code move} as the first
 * argument it starts nothing, and asks a member that runs ({@link ShardCommands}).
 */
public final class Launcher {
  private static final String NO_HAZELCAST =
      "cluster: enabled is true, allowed with weir-cluster and vertx-hazelcast on the class path;"
          + " echo has both in echo-cluster.jar, beside echo.jar";

  private final LaunchedService service;

  /** Null before they are read. */
  private Settings settings;

  /** Whether lines are JSON; false before the settings are read. */
  private boolean json;

  private Launcher(LaunchedService service) {
    this.service = service;
  }

  /**
   * Runs the service. Returns when it is started, or when there is nothing more to do; ends the JVM
   * with one of {@link ExitCodes} if it could not start. Called by main, once in a JVM.
   */
  public static void run(LaunchedService service, String... args) {
    ProcessDefaults.set();
    preload();
    int code = new Launcher(service).execute(args);
    if (code != ExitCodes.STOPPED) {
      System.exit(code);
    }
  }

  /** Uses another CPU meanwhile. */
  private static void preload() {
    Thread thread = new Thread(QueueStore::preload, "weir-preload");
    thread.setDaemon(true);
    thread.start();
  }

  private int execute(String... args) {
    if (ShardCommands.isOne(args)) {
      return ShardCommands.execute(
          service.name(),
          new PrintWriter(System.out, true),
          new PrintWriter(System.err, true),
          args);
    }
    try {
      LaunchCommand command = PlainArguments.read(args);
      if (command == null) {
        command = CommandReader.read(service, args);
      }
      return command == null ? ExitCodes.STOPPED : start(command, args);
    } catch (IllegalArgumentException e) {
      return refuse(e, ExitCodes.USAGE);
    }
  }

  private int refuse(Throwable failure, int code) {
    String line = ExitCodes.line(failure);
    String shown = settings == null ? line : settings.withoutSecrets(line);
    System.err.println(
        json ? JsonLines.of(service.name(), Level.SEVERE, shown) : service.name() + ": " + shown);
    return code;
  }

  private int start(LaunchCommand command, String... args) {
    ProcessDefaults.verbose(command.isVerbose());
    VertxOptions vertxOptions = vertxOptions(command);
    settings = new Settings(LaunchOptions.defaults(service));
    command.apply(settings, System.getenv(), System.getProperties());
    LaunchOptions.complete(settings);
    LaunchOptions options = new LaunchOptions(settings.toJson(), service);
    if (options.logFormat() == LogFormat.JSON) {
      json = true;
      JsonLines.use();
    }
    settings.forEach((section, value) -> say(section + " " + text(value)));
    say("memory: " + options.heap());
    if (!command.vertxOptions().containsKey("eventLoopPoolSize")) {
      // One more than serve HTTP, for the management port: a probe must not wait for a busy one.
      int loops = Math.max(vertxOptions.getEventLoopPoolSize(), options.instances() + 1);
      vertxOptions.setEventLoopPoolSize(loops);
    }
    if (command.archive() != null) {
      return archive(command.archive(), args);
    }
    return command.isCheck() ? ExitCodes.STOPPED : launch(options, vertxOptions);
  }

  private int archive(String file, String... args) {
    try {
      say("the archive is written; start with " + ClassArchive.make(file, args));
      return ExitCodes.STOPPED;
    } catch (IOException e) {
      return refuse(e, ExitCodes.FAILED);
    }
  }

  private static String text(Object value) {
    return value instanceof JsonObject json ? json.encode() : String.valueOf(value);
  }

  private int launch(LaunchOptions options, VertxOptions vertxOptions) {
    if (options.cluster().isEnabled()) {
      if (!hasHazelcast()) {
        return refuse(new IllegalArgumentException(NO_HAZELCAST), ExitCodes.USAGE);
      }
      try {
        Clustering.checkPorts(options.cluster());
      } catch (BindException e) {
        return refuse(e, ExitCodes.PORT);
      }
    }
    Running running = new Running(service, options, this::say);
    Throwable failure = new Program(options, running, this::say).start(vertxOptions);
    if (failure != null) {
      return refuse(failure, ExitCodes.of(failure));
    }
    running.ready();
    return ExitCodes.STOPPED;
  }

  private static boolean hasHazelcast() {
    ClassLoader loader = Launcher.class.getClassLoader();
    return Stream.of(
            "dev/weir/cluster/ClusterNode",
            "io/vertx/spi/cluster/hazelcast/HazelcastClusterManager")
        .allMatch(name -> loader.getResource(name + ".class") != null);
  }

  private static VertxOptions vertxOptions(LaunchCommand command) {
    try {
      return new VertxOptions(command.vertxOptions());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("-options: " + e.getMessage(), e);
    }
  }

  private void say(String line) {
    System.out.println(
        json ? JsonLines.of(service.name(), Level.INFO, line) : service.name() + ": " + line);
    System.out.flush();
  }
}
