package dev.weir.bench.cluster.documents;

import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.program.ChildJvm;
import dev.weir.cluster.GroupOptions;
import dev.weir.group.ShardOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The three members of a store, each {@code documents.jar} in a child process. */
final class StoreProcesses implements Closeable {
  static final List<String> NAMES = List.of("a", "b", "c");

  /** Members that hold a write when it is answered, at least. */
  static final int MIN_IN_SYNC = 2;

  private static final int HEAP_MIB = 256;

  /** Ports of a member: Hazelcast, the event bus, clients of its groups. */
  private static final int PORTS = 3;

  private static final Duration START = Duration.ofSeconds(120);
  private static final long LOOK_MS = 50;
  private static final Pattern MANAGEMENT =
      Pattern.compile("documents: management at (http://[^ ]+/)");
  private static final Pattern PRIMARY =
      Pattern.compile("weir_group_role\\{group=\"([^\"]+)\",role=\"primary\"} 1(\\.0)?\n");

  private final BlockingQueue<String> management = new LinkedBlockingQueue<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ChildJvm> children = new ArrayList<>();
  private final int[] ports;
  private final int shards;

  /**
   * Starts the members.
   *
   * @param directory for their data
   * @param shards of the factory
   */
  StoreProcesses(Path directory, int shards) throws IOException {
    this.ports = Ports.free(PORTS * NAMES.size() + 1);
    this.shards = shards;
    for (int i = 0; i < NAMES.size(); i++) {
      children.add(
          ChildJvm.start(
              List.of(), flags(), StoreMemberMain.class, arguments(directory, i), this::onLine));
    }
  }

  private void onLine(String line) {
    Matcher url = MANAGEMENT.matcher(line);
    if (url.matches()) {
      management.add(url.group(1));
    }
  }

  /** The JVM flags of every member. */
  static List<String> flags() {
    return ChildFlags.of(HEAP_MIB);
  }

  private List<String> arguments(Path directory, int member) {
    String name = NAMES.get(member);
    return List.of(
        "--http-port=0",
        "--management-port=0",
        "--data=" + directory.resolve(name),
        "-cluster",
        "--cluster-member=" + name,
        "--cluster-member-port=" + ports[member],
        "--cluster-port=" + ports[NAMES.size() + member],
        "--set=cluster.clientPort=" + ports[2 * NAMES.size() + member],
        "--cluster-join=" + String.join(",", join()),
        "--set=documents.members=" + String.join(",", NAMES),
        "--set=documents.shards=" + shards,
        "--set=documents.group.minInSync=" + MIN_IN_SYNC,
        // Members and client saturate the machine: that is no reason to change a role.
        "--set=documents.group.leaseMs=5000",
        "--set=documents.group.takeoverMs=10000");
  }

  /** How the documents are split over the members. */
  ShardOptions shardOptions() {
    return new ShardOptions().setMembers(NAMES).setShards(shards);
  }

  /** What an acknowledgement means; how long roles last is the members' own. */
  static GroupOptions groupOptions() {
    return new GroupOptions().setMinInSync(MIN_IN_SYNC);
  }

  /** Where the nodes of the cluster look for each other. */
  List<String> join() {
    return Arrays.stream(ports, 0, NAMES.size())
        .mapToObj(port -> "127.0.0.1:" + port)
        .collect(Collectors.toList());
  }

  /** A port for Hazelcast of a client. */
  int clientPort() {
    return ports[PORTS * NAMES.size()];
  }

  /** Waits until each shard has a primary with which all members are in sync. */
  void awaitWhole() throws IOException, InterruptedException {
    long endNs = System.nanoTime() + START.toNanos();
    List<String> urls = new ArrayList<>();
    while (urls.size() < NAMES.size()) {
      String url = management.poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (url == null) {
        throw new IOException("not all members have started in " + START);
      }
      urls.add(url);
    }
    long whole = 0;
    while (whole < shards) {
      if (System.nanoTime() > endNs) {
        throw new IOException(
            "of " + shards + " shards only " + whole + " are whole after " + START);
      }
      whole = 0;
      for (String url : urls) {
        whole += whole(url);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** Shards of which a member is primary, and in which all members are in sync. */
  private long whole(String url) throws IOException, InterruptedException {
    String metrics =
        http.send(
                HttpRequest.newBuilder(URI.create(url + "metrics")).build(),
                BodyHandlers.ofString())
            .body();
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
    children.forEach(ChildJvm::close);
  }
}
