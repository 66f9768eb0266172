package dev.weir.cluster;

import io.vertx.core.Vertx;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A member of a group as a process of its own, until SIGTERM; it says each change of its state.
 * {@link EarlierBuild} compiles it with the classes of earlier builds, so it uses nothing later.
 */
final class UpgradeChild {
  private static final long PAUSE_NS = 10_000_000;

  private UpgradeChild() {}

  /** Adds up the numbers it gets; replies with the sum. */
  private static final class Sum implements EventSourcedProcessor {
    private long sum;

    @Override
    public void onMessage(Inbound message, Outbound out) {
      sum += message.buffer().getLong(message.offset());
      ByteBuffer reply = out.claim(Long.BYTES);
      reply.putLong(out.offset(), sum);
      out.commit(Long.BYTES);
    }

    @Override
    public void save(DataOutput out) throws IOException {
      out.writeLong(sum);
    }

    @Override
    public void restore(DataInput in) throws IOException {
      sum = in == null ? 0 : in.readLong();
    }
  }

  /**
   * @param args name, ports of Hazelcast of all, the own one, client port, directory, members,
   *     transport
   */
  public static void main(String[] args) throws Exception {
    List<String> join = Stream.of(args[1].split(",")).map(port -> "127.0.0.1:" + port).toList();
    ClusterNode node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName(args[0])
                .setPort(Integer.parseInt(args[2]))
                .setJoin(join)
                .setDirectory(Path.of(args[4])));
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of(args[5].split(",")))
            .setReplication(Replication.valueOf(args[6]))
            // A busy machine changes no roles.
            .setLeaseMs(3_000)
            .setTakeoverMs(6_000)
            .setMaxMessageBytes(1_024)
            .setSnapshotBytes(1 << 20);
    Vertx vertx = Vertx.vertx();
    ClientEndpoint endpoint = new ClientEndpoint(vertx);
    ProcessorGroup group =
        node.group(options)
            .processor(new Sum())
            .replies(endpoint.replies(options.getName()))
            .start();
    endpoint.serve(group);
    endpoint
        .listen("127.0.0.1", Integer.parseInt(args[3]))
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  group.close();
                  node.close();
                }));
    String said = "";
    while (true) {
      GroupStats stats = group.stats();
      String state =
          "state "
              + stats.role()
              + " "
              + stats.inSync()
              + " "
              + stats.accepting()
              + " "
              + stats.reason();
      if (!state.equals(said)) {
        System.out.println(state);
        said = state;
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }
}
