package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The members of a store, each a process, and a client of their HTTP. */
final class StoreMembers implements AutoCloseable {
  /** Those with which the store begins. */
  static final List<String> NAMES = List.of("a", "b", "c");

  /** One that comes later. */
  static final String LATER = "d";

  private static final int MOST = NAMES.size() + 1;
  private static final Pattern READY = Pattern.compile("documents: ready at (http://[^ ]+/)");
  private static final Pattern MANAGEMENT =
      Pattern.compile("documents: management at (http://[^ ]+/)");
  private static final Pattern PRIMARY =
      Pattern.compile("weir_group_role\\{group=\"([^\"]+)\",role=\"primary\"\\} 1(\\.0)?\n");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** What operators are shown comes from this member alone: it is not asked of another one. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final List<Integer> ports = FreePorts.find(3 * MOST);
  private final Map<String, ChildJvm> running = new ConcurrentHashMap<>();
  private final Map<String, String> urls = new ConcurrentHashMap<>();
  private final Map<String, String> managements = new ConcurrentHashMap<>();
  private final Path directory;
  private final List<String> settings;

  /**
   * @param settings of all members, as {@code --set} takes them
   */
  StoreMembers(Path directory, String... settings) {
    this.directory = directory;
    this.settings = List.of(settings);
  }

  /** Starts a member on its data, and waits until it serves. */
  void start(String name) {
    int index = name.equals(LATER) ? NAMES.size() : NAMES.indexOf(name);
    List<String> args =
        new ArrayList<>(
            List.of(
                "--http-port=0",
                "--management-port=0",
                "--data=" + directory.resolve(name),
                "-cluster",
                "--cluster-member=" + name,
                "--cluster-member-port=" + ports.get(index),
                "--cluster-port=" + ports.get(MOST + index),
                "--set=cluster.clientPort=" + ports.get(2 * MOST + index),
                "--cluster-join=" + join(),
                "--set=documents.memberCommands=true",
                "--set=documents.members=" + String.join(",", NAMES)));
    settings.forEach(setting -> args.add("--set=" + setting));
    ChildJvm member =
        ChildJvm.of(DocumentsMain.class)
            .flags("-Xmx192m")
            .mergeErrors()
            .start(args.toArray(String[]::new));
    running.put(name, member);
    managements.put(name, url(member, MANAGEMENT));
    urls.put(name, url(member, READY));
  }

  private String join() {
    return ports.subList(0, NAMES.size()).stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(","));
  }

  private static String url(ChildJvm member, Pattern said) {
    String line = member.awaitLine("a URL", each -> said.matcher(each).matches());
    assertThat(line).as("%s", member.lines()).isNotNull();
    return said.matcher(line).replaceAll("$1");
  }

  /**
   * Runs the command {@code shards}, until no shard has to move any more. A member that has just
   * started may not be heard yet by the one that answers.
   */
  void shards(String name, String change) {
    Await.until(
        "shards " + change,
        () -> {
          try (ChildJvm command =
              ChildJvm.of(DocumentsMain.class)
                  .mergeErrors()
                  .start(
                      "shards",
                      "--url=" + urls.get(name),
                      "--service=members.documents-things",
                      "--wait-s=80",
                      change)) {
            return command.exitCode() == 0;
          }
        });
  }

  ChildJvm process(String name) {
    return running.get(name);
  }

  /** As kill -9 does. */
  void kill(String name) {
    urls.remove(name);
    managements.remove(name);
    running.remove(name).close();
  }

  /** Names of the members that serve. */
  List<String> serving() {
    return urls.keySet().stream().sorted().toList();
  }

  /**
   * Sends a request for documents.
   *
   * @param path below {@code documents}
   * @return null if the member does not answer
   */
  HttpResponse<String> send(
      String name, String method, String path, String body, String... headers) {
    String url = urls.get(name);
    return url == null ? null : exchange(TIMEOUT, method, url + "documents" + path, body, headers);
  }

  private HttpResponse<String> exchange(
      Duration timeout, String method, String url, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(timeout)
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /**
   * The lines of a stream of changes; none if the member refuses it or does not answer.
   *
   * @param position behind which changes are read
   */
  Stream<String> stream(String name, String path, String position) {
    String url = urls.get(name);
    if (url == null) {
      return Stream.empty();
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "documents" + path))
            .timeout(TIMEOUT)
            .header("Accept", "text/event-stream")
            .header("Last-Event-ID", position)
            .build();
    try {
      HttpResponse<Stream<String>> answer = client.send(request, BodyHandlers.ofLines());
      return answer.statusCode() == 200 ? answer.body() : Stream.empty();
    } catch (IOException e) {
      return Stream.empty();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /** What a member shows to operators; empty if it does not answer. */
  String manage(String name, String path) {
    String url = managements.get(name);
    HttpResponse<String> answer = url == null ? null : exchange(PATIENCE, "GET", url + path, "");
    return answer == null ? "" : answer.body();
  }

  /** Waits until each shard has a primary, and all members are in sync with it. */
  void awaitWhole(int shards) {
    Await.until(
        () -> "all shards are whole: " + running.values().stream().map(ChildJvm::lines).toList(),
        120,
        () -> serving().stream().mapToLong(this::whole).sum() == shards);
  }

  /** Shards whose primary is this member, and in which all members are in sync. */
  private long whole(String name) {
    String metrics = manage(name, "metrics");
    return PRIMARY
        .matcher(metrics)
        .results()
        .map((MatchResult found) -> found.group(1))
        .filter(
            group ->
                metrics.contains("weir_group_in_sync{group=\"" + group + "\"} " + NAMES.size()))
        .count();
  }

  @Override
  public void close() {
    running.values().forEach(ChildJvm::close);
  }
}
