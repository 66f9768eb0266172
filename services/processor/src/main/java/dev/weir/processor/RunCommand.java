package dev.weir.processor;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.gateway.GatewayOptions;
import dev.weir.launcher.ProcessDefaults;
import dev.weir.queue.je.DirectoryLock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code run}: runs one member, with a replica of each group, until a signal. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs one member until SIGTERM or SIGINT. Before it ends, it hands its roles over.",
      "Two members on one machine need only --name a and --name b.",
      "Recommended are three members, or two and a witness: --members a,b,c --witness c. The"
          + " witness is the member with that --name; it has no --kind and opens no client port.",
      "Groups, sorted by name, get their preferred primaries round-robin over the members."
    })
final class RunCommand implements Callable<Integer> {
  enum Kind {
    /** Event sourcing. */
    ES,
    /** State replication. */
    SR
  }

  @Spec private CommandSpec spec;
  @Mixin private NodeArguments node;

  @Option(
      names = "--no-persistence",
      description = "Keep the log in memory only. --ack-level is received by default then.")
  private boolean noPersistence;

  @Mixin private HttpArguments http;

  @Option(
      names = "--kind",
      defaultValue = "es",
      description =
          "Kind of processor: es (event sourcing) or sr (state replication); ${DEFAULT-VALUE} by"
              + " default.")
  private Kind kind;

  @Option(names = "--encoding", defaultValue = Encoding.DEFAULT, description = Encoding.DESCRIPTION)
  private Encoding encoding;

  @Option(names = "--verbose", description = "Log what Hazelcast does.")
  private boolean verbose;

  private final DeclaredFlags groupFlags =
      new DeclaredFlags(
          new GroupOptions().declared(),
          "minInSync",
          "pairPolicy",
          "ackLevel",
          "replication",
          "waiting",
          "heartbeatMs",
          "leaseMs",
          "takeoverMs",
          "handBackMs",
          "snapshotBytes");
  private final DeclaredFlags nodeFlags =
      new DeclaredFlags(
          new NodeOptions().declared(),
          "host",
          "replicationHost",
          "replicationPort",
          "publicHost",
          "publicPort",
          "publicReplicationPort",
          "join",
          "tlsCertificates",
          "tlsKey",
          "tlsTrusted",
          "secretFile");

  /** Adds the flags that the options classes of the cluster declare. */
  void addFlags(CommandSpec command) {
    nodeFlags.addTo(command);
    groupFlags.addTo(command);
  }

  @Override
  public Integer call() throws Exception {
    ProcessDefaults.verbose(verbose);
    // Fails for an unknown name.
    node.index();
    NodeOptions options = node.toOptions(nodeFlags.given());
    // A bad value is refused before anything starts.
    node.placement().forEach((name, members) -> groupOptions(name, members).validate());
    checkWitness();
    // Locked before any port is bound: a second start is told which process uses the directory.
    DirectoryLock lock = noPersistence ? null : DirectoryLock.acquire(options.getDirectory());
    try {
      run(options);
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
    return 0;
  }

  private boolean isWitness() {
    return node.name.equals(node.witness);
  }

  private void checkWitness() {
    if (isWitness() && spec.commandLine().getParseResult().hasMatchedOption("--kind")) {
      throw new IllegalArgumentException(
          "--kind is "
              + word(kind)
              + ", allowed on the witness, "
              + node.name
              + ", is none: it handles no cars");
    }
  }

  private void run(NodeOptions options) throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    Vertx vertx = ProcessorMain.newVertx();
    try {
      run(vertx, options, stopped);
    } finally {
      try {
        vertx.close().await();
      } finally {
        stopped.countDown();
      }
    }
  }

  private void run(Vertx vertx, NodeOptions options, CountDownLatch stopped) throws Exception {
    ClientEndpoint clients = new ClientEndpoint(vertx, options);
    try (ClusterNode cluster = ClusterNode.start(options)) {
      List<ProcessorGroup> groups = startGroups(cluster, clients);
      if (!isWitness()) {
        int port = clients.listen(options.getHost(), node.clientPort()).await();
        say("takes clients at " + options.getHost() + ":" + port);
      }
      HttpFront front = startHttp(vertx, cluster, groups, options);
      ControlSocket control = listen(options.getDirectory(), groups);
      StopHook stop = new StopHook(stopped);
      Runtime.getRuntime().addShutdownHook(stop);
      stop.awaitSignal();
      if (control != null) {
        control.close();
      }
      front.close().await();
    } finally {
      clients.close();
    }
  }

  /** Null if commands cannot ask this member: it runs all the same. */
  private ControlSocket listen(Path directory, List<ProcessorGroup> groups) {
    if (noPersistence) {
      return null;
    }
    try {
      return ControlSocket.listen(directory, new GroupControl(groups));
    } catch (IOException | UnsupportedOperationException e) {
      say("commands cannot ask this member: " + e.getMessage());
      return null;
    }
  }

  private List<ProcessorGroup> startGroups(ClusterNode cluster, ClientEndpoint clients) {
    List<ProcessorGroup> groups = new ArrayList<>();
    node.placement()
        .forEach(
            (name, members) -> {
              GroupBuilder builder = cluster.group(groupOptions(name, members));
              ProcessorGroup group = withProcessor(builder, name, clients).start();
              clients.serve(group);
              groups.add(group);
            });
    return groups;
  }

  private GroupOptions groupOptions(String group, List<String> members) {
    Map<String, Object> given = groupFlags.given();
    if (noPersistence) {
      given.put("persistence", false);
      given.putIfAbsent("ackLevel", AckLevel.RECEIVED.name());
    }
    return new GroupOptions(given).setName(group).setMembers(members).setWitness(node.witness);
  }

  private GroupBuilder withProcessor(GroupBuilder builder, String group, ClientEndpoint clients) {
    GroupBuilder withReplies =
        builder.replies(clients.replies(group)).roles((role, epoch) -> sayRole(group, role, epoch));
    if (isWitness()) {
      return withReplies;
    }
    return kind == Kind.ES
        ? withReplies.processor(new CarProcessor(encoding))
        : withReplies.processor(new CarStateProcessor(encoding, CarStateProcessor.DEFAULT_OBJECTS));
  }

  private HttpFront startHttp(
      Vertx vertx, ClusterNode cluster, List<ProcessorGroup> groups, NodeOptions own) {
    if (http.port == null) {
      return HttpFront.NONE;
    }
    GatewayOptions options = http.toOptions();
    ProcessorClientOptions clients =
        new ProcessorClientOptions()
            .setMembers(http.members(node, own.getHost()))
            .setTlsTrusted(own.getTlsTrusted())
            .setSecretFile(own.getSecretFile());
    HttpFront front = HttpFront.start(vertx, cluster, groups, clients, encoding, options).await();
    if (front.managementPort() != front.port()) {
      say("answers management at " + options.getHost() + ":" + front.managementPort());
    }
    say("answers HTTP at " + options.getHost() + ":" + front.port());
    return front;
  }

  private void sayRole(String group, Role role, long epoch) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s %s: %s, epoch %d%n", node.name, group, word(role), epoch);
    out.flush();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(node.name + ": " + line);
    out.flush();
  }

  /**
   * The shutdown hook: on a signal it wakes the main thread and waits until that has closed all.
   */
  private static final class StopHook extends Thread {
    private final CountDownLatch signalled = new CountDownLatch(1);
    private final CountDownLatch stopped;

    StopHook(CountDownLatch stopped) {
      super("processor-stop");
      this.stopped = stopped;
    }

    void awaitSignal() throws InterruptedException {
      signalled.await();
    }

    @Override
    public void run() {
      signalled.countDown();
      try {
        stopped.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      // Without this, the JVM's exit code would be that of the signal.
      Runtime.getRuntime().halt(0);
    }
  }
}
