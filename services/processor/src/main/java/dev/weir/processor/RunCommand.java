package dev.weir.processor;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Placement;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Replication;
import dev.weir.cluster.Waiting;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.launch.ProcessDefaults;
import dev.weir.queue.je.DirectoryLock;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs one member, with a replica of each group, until it is told to stop. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs one member until SIGTERM or SIGINT, which hands its roles over first.",
      "Two on one machine need nothing but --name a and --name b.",
      "Several groups: the first by name prefers the first member as its primary, the next one the"
          + " next, in turn."
    })
final class RunCommand implements Callable<Integer> {
  private static final int HAZELCAST_PORT = 5701;

  enum Kind {
    /** Event sourcing. */
    ES,
    /** State replication. */
    SR
  }

  @Spec private CommandSpec spec;
  @Mixin private GroupArguments shared;
  @Mixin private MemberArguments member;
  @Mixin private EncodingArgument encoding;
  @Mixin private HttpArguments http;

  @Option(
      names = "--kind",
      defaultValue = "es",
      description = "es, event sourcing, or sr, state replication; ${DEFAULT-VALUE} by default.")
  private Kind kind;

  @Option(
      names = "--host",
      defaultValue = NodeOptions.DEFAULT_HOST,
      description =
          "Address to listen on; ${DEFAULT-VALUE} by default. Nothing is encrypted: the network"
              + " must be trusted.")
  private String host;

  @Option(
      names = "--port",
      description = "Port of Hazelcast; by default 5701 for the first member, 5702 for the next.")
  private Integer port;

  @Option(
      names = "--replication-port",
      defaultValue = "0",
      description = "Port of the TCP replication; by default any that is free.")
  private int replicationPort;

  @Option(
      names = "--public-host",
      description =
          "Address at which the other members reach this one, where something that maps addresses"
              + " or ports is between them; by default --host.")
  private String publicHost;

  @Option(
      names = "--public-port",
      defaultValue = "" + NodeOptions.DEFAULT_PUBLIC_PORT,
      description = "Port of the public host that leads to --port; by default the same number.")
  private int publicPort;

  @Option(
      names = "--public-replication-port",
      defaultValue = "" + NodeOptions.DEFAULT_PUBLIC_PORT,
      description = "Port that leads to --replication-port; by default the same number.")
  private int publicReplicationPort;

  @Option(
      names = "--client-port",
      description = "Port for drivers; by default 7701 for the first member, 7702 for the next.")
  private Integer clientPort;

  @Option(
      names = "--join",
      split = ",",
      description = "host:port of the others' Hazelcast; by default all default ports of --host.")
  private List<String> join;

  @Option(names = "--no-persistence", description = "Keep the log in memory only.")
  private boolean noPersistence;

  @Option(
      names = "--replication",
      defaultValue = "tcp",
      description = "tcp or hazelcast; ${DEFAULT-VALUE} by default.")
  private Replication replication;

  @Option(
      names = "--waiting",
      defaultValue = "block",
      description = "block or spin: what the group's thread does at rest; block by default.")
  private Waiting waiting;

  @Option(
      names = "--ack-level",
      description =
          "received, persisted (written to the operating system) or flushed (forced to the device):"
              + " when a member holds a message; persisted by default.")
  private AckLevel ackLevel;

  @Option(
      names = "--min-in-sync",
      defaultValue = "1",
      description = "Members that must hold a message before it is answered; 1 by default.")
  private int minInSync;

  @Option(
      names = "--heartbeat-ms",
      defaultValue = "" + GroupOptions.DEFAULT_HEARTBEAT_MS,
      description = "Pause between heartbeats; ${DEFAULT-VALUE} by default.")
  private int heartbeatMs;

  @Option(
      names = "--lease-ms",
      defaultValue = "" + GroupOptions.DEFAULT_LEASE_MS,
      description = "Silence of a backup after which nothing is answered; ${DEFAULT-VALUE}.")
  private int leaseMs;

  @Option(
      names = "--takeover-ms",
      defaultValue = "" + GroupOptions.DEFAULT_TAKEOVER_MS,
      description = "Silence of the primary after which it is replaced; ${DEFAULT-VALUE}.")
  private int takeoverMs;

  @Option(
      names = "--hand-back-ms",
      defaultValue = "" + GroupOptions.DEFAULT_HAND_BACK_MS,
      description =
          "How long a group's preferred member must be in sync until it gets the role back; 0, the"
              + " default, for never.")
  private int handBackMs;

  @Option(names = "--verbose", description = "Let Hazelcast say what it does.")
  private boolean verbose;

  @Override
  public Integer call() throws Exception {
    ProcessDefaults.verbose(verbose);
    int self = member.index(shared.members);
    NodeOptions options = nodeOptions(self);
    // Before any port: of a second start it is to be said who holds the directory.
    DirectoryLock lock = noPersistence ? null : DirectoryLock.acquire(options.getDirectory());
    try {
      run(self, options);
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
    return 0;
  }

  private void run(int self, NodeOptions options) throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    Vertx vertx = ProcessorMain.newVertx();
    ClientEndpoint clients = new ClientEndpoint(vertx);
    Map<String, List<String>> placement = Placement.spread(shared.groups, shared.members);
    try (ClusterNode node = ClusterNode.start(options)) {
      List<ProcessorGroup> groups = new ArrayList<>();
      placement.forEach(
          (group, members) -> groups.add(start(node, groupOptions(group, members), clients)));
      int listening =
          clients
              .listen(host, clientPort == null ? GroupArguments.clientPort(self) : clientPort)
              .await();
      say("takes clients at " + host + ":" + listening);
      HttpFront front = startHttp(vertx, groups);
      Stop stop = new Stop(stopped);
      Runtime.getRuntime().addShutdownHook(stop);
      stop.await();
      front.close().await();
    } finally {
      clients.close();
      try {
        vertx.close().await();
      } finally {
        stopped.countDown();
      }
    }
  }

  private ProcessorGroup start(ClusterNode node, GroupOptions options, ClientEndpoint clients) {
    ProcessorGroup group = processor(node.group(options), options.getName(), clients).start();
    clients.serve(group);
    return group;
  }

  private HttpFront startHttp(Vertx vertx, List<ProcessorGroup> groups) {
    if (http.port == null) {
      return HttpFront.NONE;
    }
    List<String> members = http.members(shared.members.size(), host);
    GatewayOptions options = http.toOptions();
    HttpFront front = HttpFront.start(vertx, groups, members, encoding.value, options).await();
    say("answers HTTP at " + options.getHost() + ":" + front.port());
    return front;
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(member.name + ": " + line);
    out.flush();
  }

  private NodeOptions nodeOptions(int self) {
    List<String> others =
        IntStream.range(0, shared.members.size())
            .mapToObj(i -> host + ":" + (HAZELCAST_PORT + i))
            .toList();
    return new NodeOptions()
        .setMemberName(member.name)
        .setHost(host)
        .setPort(port == null ? HAZELCAST_PORT + self : port)
        .setReplicationPort(replicationPort)
        .setPublicHost(publicHost)
        .setPublicPort(publicPort)
        .setPublicReplicationPort(publicReplicationPort)
        .setJoin(join == null ? others : join)
        .setDirectory(member.directory());
  }

  private GroupOptions groupOptions(String group, List<String> members) {
    AckLevel byDefault = noPersistence ? AckLevel.RECEIVED : AckLevel.PERSISTED;
    return new GroupOptions()
        .setName(group)
        .setMembers(members)
        .setReplication(replication)
        .setWaiting(waiting)
        .setPersistence(!noPersistence)
        .setAckLevel(ackLevel == null ? byDefault : ackLevel)
        .setMinInSync(minInSync)
        .setHeartbeatMs(heartbeatMs)
        .setLeaseMs(leaseMs)
        .setTakeoverMs(takeoverMs)
        .setHandBackMs(handBackMs);
  }

  private GroupBuilder processor(GroupBuilder builder, String group, ClientEndpoint clients) {
    RoleLine roles =
        new RoleLine(member.name, group, clients.replies(group), spec.commandLine().getOut());
    return kind == Kind.ES
        ? builder.processor(new CarProcessor(encoding.value)).replies(roles)
        : builder
            .processor(new CarStateProcessor(encoding.value, CarStateProcessor.DEFAULT_OBJECTS))
            .replies(roles);
  }

  /** Lets a signal end the program in order: the JVM waits for this hook. */
  private static final class Stop extends Thread {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch stopped;

    Stop(CountDownLatch stopped) {
      super("processor-stop");
      this.stopped = stopped;
    }

    void await() throws InterruptedException {
      asked.await();
    }

    @Override
    public void run() {
      asked.countDown();
      try {
        stopped.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      // Ended as asked: without this the JVM's exit code would be the signal's.
      Runtime.getRuntime().halt(0);
    }
  }
}
