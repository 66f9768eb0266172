package dev.weir.launcher;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The commands {@code shards} and {@code move} of a program's jar. Each asks a running member of a
 * service of shards over HTTP, by the route that the member's program has for operators.
 */
public final class ShardCommands {
  private static final Set<String> NAMES = Set.of("shards", "move");

  private ShardCommands() {}

  /** The commands, for a program with commands of its own. */
  public static List<Callable<Integer>> all() {
    return List.of(new Shards(), new Move());
  }

  /** Whether a command line begins with one of the commands. */
  static boolean isOne(String... args) {
    return args.length > 0 && NAMES.contains(args[0]);
  }

  /**
   * Runs a command line that begins with one of the commands.
   *
   * @param program its name, for what it says
   * @return one of {@link ExitCodes}
   */
  static int execute(String program, PrintWriter out, PrintWriter err, String... args) {
    CommandLine commandLine = new CommandLine(CommandSpec.create().name(program));
    all().forEach(commandLine::addSubcommand);
    return commandLine
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(
            (e, given) -> {
              err.println(program + ": " + e.getMessage());
              return ExitCodes.USAGE;
            })
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.println(program + ": " + ExitCodes.line(e));
              return ExitCodes.of(e);
            })
        .execute(args);
  }

  /** A command of one request. */
  abstract static class Asking implements Callable<Integer> {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** A change waits for the first shard, which may be without a primary for a moment. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final int OK = 200;
    private static final long LOOK_MS = 100;
    private static final int MOST_WAIT_S = 86_400;

    @Spec private CommandSpec spec;

    @Option(
        names = "--url",
        defaultValue = "http://127.0.0.1:8080",
        description =
            "Where any member answers HTTP, ${DEFAULT-VALUE} by default. The JVM trusts the"
                + " certificates of -Djavax.net.ssl.trustStore.")
    private URI url;

    @Option(
        names = "--service",
        required = true,
        description =
            "Address of the service that takes commands for operators, such as accounts.members.")
    private String service;

    @Option(
        names = "--token-file",
        description = "File with the token of an operator; none by default.")
    private Path tokenFile;

    @Option(
        names = "--wait-s",
        defaultValue = "0",
        description =
            "Wait until the change is made and no replica has to move or to catch up, at most so"
                + " many seconds;"
                + " ${DEFAULT-VALUE} by default.")
    private int waitS;

    /** Made when the command runs: it has a thread of its own. */
    private HttpClient client;

    /** What the member is asked for, as GroupService.operate of weir-group takes it. */
    abstract JsonObject command();

    /**
     * Whether a status is that of a member which knows of the change. It is told of changes a
     * moment later.
     */
    abstract boolean isDone(JsonObject status);

    @Override
    public final Integer call() throws IOException, InterruptedException {
      if (waitS < 0 || waitS > MOST_WAIT_S) {
        throw new IllegalArgumentException(
            "--wait-s is " + waitS + ", allowed is 0 to " + MOST_WAIT_S);
      }
      client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
      JsonObject status = ask(command());
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitS);
      while (waitS > 0 && !(moves(status) == 0 && isDone(status))) {
        if (System.nanoTime() - endNs > 0) {
          print(status);
          throw new IOException("shards still move after " + waitS + " s");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        try {
          status = ask(new JsonObject());
        } catch (IOException e) {
          if (System.nanoTime() - endNs > 0) {
            throw e;
          }
        }
      }
      print(status);
      return ExitCodes.STOPPED;
    }

    private JsonObject ask(JsonObject command) throws IOException, InterruptedException {
      HttpResponse<String> answer = send(command);
      if (answer.statusCode() != OK) {
        throw new IOException("refused with " + answer.statusCode() + ": " + detail(answer.body()));
      }
      try {
        JsonObject status = new JsonObject(answer.body());
        if (status.containsKey("shards")) {
          return status;
        }
      } catch (DecodeException e) {
        throw new IOException(notStatus(), e);
      }
      throw new IOException(notStatus());
    }

    private HttpResponse<String> send(JsonObject command) throws IOException, InterruptedException {
      try {
        return client.send(
            request(command), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      } catch (ConnectException e) {
        throw new IOException("no member answers at " + url, e);
      }
    }

    private String notStatus() {
      return service + " does not answer as GroupService.operate does: is it the right address?";
    }

    private HttpRequest request(JsonObject command) {
      String base = url.toString().replaceFirst("/+$", "");
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create(
                      base + "/services/" + URLEncoder.encode(service, StandardCharsets.UTF_8)))
              .timeout(ANSWER)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(command.encode()));
      if (tokenFile != null) {
        request.header("Authorization", "Bearer " + token());
      }
      return request.build();
    }

    private String token() {
      try {
        return Files.readString(tokenFile).strip();
      } catch (IOException e) {
        throw new IllegalArgumentException("--token-file " + tokenFile + " cannot be read", e);
      }
    }

    /** What a problem says; the body itself if it is none. */
    private static String detail(String body) {
      try {
        return new JsonObject(body).getString("detail", body);
      } catch (DecodeException | ClassCastException e) {
        return body.lines().findFirst().orElse("");
      }
    }

    private static int moves(JsonObject status) {
      return status.getInteger("moves", -1);
    }

    private void print(JsonObject status) {
      PrintWriter out = spec.commandLine().getOut();
      int moves = moves(status);
      out.printf(
          "members %s; replicas on %s %d%nmoves left %s; steps done %d, failed %d%n",
          names(status.getJsonArray("members")),
          status.getString("member", "the member that answers"),
          status.getInteger("replicas"),
          moves < 0 ? "unknown" : moves,
          status.getLong("stepsDone"),
          status.getLong("stepsFailed"));
      status.getJsonArray("waiting").forEach(line -> out.println("waiting: " + line));
      JsonArray shards = status.getJsonArray("shards");
      for (int i = 0; i < shards.size(); i++) {
        JsonObject shard = shards.getJsonObject(i);
        out.printf(
            "shard %d: %s%n", shard.getInteger("shard"), names(shard.getJsonArray("members")));
      }
      out.flush();
    }

    private static String names(JsonArray members) {
      return members.isEmpty()
          ? "unknown"
          : String.join(", ", members.stream().map(String::valueOf).toList());
    }
  }

  /** The command {@code shards}. */
  @Command(
      name = "shards",
      mixinStandardHelpOptions = true,
      description =
          "Shows which members hold which shard of a service, the primary first, and how moves get"
              + " on. Adds or removes a member when asked to.")
  static final class Shards extends Asking {
    @Option(
        names = "--add",
        description = "Spread the shards over one more member, which runs the program already.")
    private String add;

    @Option(
        names = "--remove",
        description = "Move all shards away from a member, whether it runs or is lost.")
    private String remove;

    @Override
    JsonObject command() {
      if (add != null && remove != null) {
        throw new IllegalArgumentException("--add and --remove are given, allowed is one of them");
      }
      JsonObject command = new JsonObject();
      if (add != null) {
        command.put("add", add);
      }
      if (remove != null) {
        command.put("remove", remove);
      }
      return command;
    }

    @Override
    boolean isDone(JsonObject status) {
      List<?> members = status.getJsonArray("members").getList();
      return (add == null || members.contains(add))
          && (remove == null || !members.contains(remove) && !holds(status, remove));
    }

    private static boolean holds(JsonObject status, String member) {
      return status.getJsonArray("shards").stream()
          .anyMatch(shard -> ((JsonObject) shard).getJsonArray("members").contains(member));
    }
  }

  /** The command {@code move}. */
  @Command(
      name = "move",
      mixinStandardHelpOptions = true,
      description = "Moves one replica of a shard to another member.")
  static final class Move extends Asking {
    @Option(names = "--shard", required = true, description = "Number of the shard, from 0.")
    private int shard;

    @Option(names = "--from", required = true, description = "The member that has the replica.")
    private String from;

    @Option(names = "--to", required = true, description = "The member that gets it.")
    private String to;

    @Override
    JsonObject command() {
      return new JsonObject().put("move", shard).put("from", from).put("to", to);
    }

    @Override
    boolean isDone(JsonObject status) {
      List<?> members =
          status.getJsonArray("shards").getJsonObject(shard).getJsonArray("members").getList();
      return members.contains(to) && !members.contains(from);
    }
  }
}
