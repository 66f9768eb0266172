package dev.weir.bench.cluster.peers;

import dev.weir.bench.cluster.child.ParentWatch;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.CRC32C;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * A server of an Apache Ratis group of {@value #SERVERS} on the loopback address. Its arguments are
 * its number, its directory, whether the log is forced to the device, and the ports of all servers.
 * It prints {@value #READY} when it has started.
 */
final class RatisPeerMain {
  static final String READY = "READY";
  static final int SERVERS = 3;

  /** Requests that a client may have in flight; its default is 100. */
  static final int OUTSTANDING = 4 << 10;

  private static final int APPENDS_IN_FLIGHT = 128;
  private static final int BATCH_BYTES = 4 << 20;
  private static final int SEGMENT_BYTES = 8 << 20;

  /** Of entries, as they are in files; in the heap they take more. 200 MB by default. */
  private static final int CACHED_BYTES = 4 * SEGMENT_BYTES;

  private static final int WRITE_BUFFER_BYTES = 8 << 20;
  private static final int ELECTION_MS = 2_000;
  private static final UUID GROUP = new UUID(1, 1);

  // Held here, because the level of a logger that nobody refers to is forgotten.
  private static final Logger LOGGER = Logger.getLogger("org.apache.ratis");

  private RatisPeerMain() {}

  /** Serves until the parent ends. */
  public static void main(String[] args) throws IOException {
    ParentWatch.start();
    quiet();
    int number = Integer.parseInt(args[0]);
    int[] ports = new int[SERVERS];
    for (int i = 0; i < SERVERS; i++) {
      ports[i] = Integer.parseInt(args[3 + i]);
    }
    RaftProperties properties = properties(new File(args[1]), Boolean.parseBoolean(args[2]));
    GrpcConfigKeys.Server.setPort(properties, ports[number]);
    RaftGroup group = group(ports);
    RaftServer server =
        RaftServer.newBuilder()
            .setServerId(List.copyOf(group.getPeers()).get(number).getId())
            .setGroup(group)
            .setProperties(properties)
            .setStateMachine(new Digest())
            .build();
    server.start();
    System.out.println(READY);
  }

  static void quiet() {
    LOGGER.setLevel(Level.SEVERE);
  }

  /** The group, whose servers are in the order of the ports. */
  static RaftGroup group(int[] ports) {
    List<RaftPeer> peers = new ArrayList<>();
    for (int i = 0; i < ports.length; i++) {
      peers.add(RaftPeer.newBuilder().setId("s" + i).setAddress("127.0.0.1:" + ports[i]).build());
    }
    return RaftGroup.valueOf(RaftGroupId.valueOf(GROUP), peers);
  }

  /**
   * Larger batches, and more of them in flight, than by default; fewer entries in the heap; time for
   * a busy machine.
   */
  private static RaftProperties properties(File directory, boolean forced) {
    RaftProperties properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(directory));
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, milliseconds(ELECTION_MS));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, milliseconds(2 * ELECTION_MS));
    RaftServerConfigKeys.Write.setElementLimit(properties, 2 * OUTSTANDING);
    RaftServerConfigKeys.Log.setQueueElementLimit(properties, 2 * OUTSTANDING);
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(CACHED_BYTES));
    RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
    RaftServerConfigKeys.Log.setWriteBufferSize(
        properties, SizeInBytes.valueOf(WRITE_BUFFER_BYTES));
    RaftServerConfigKeys.Log.setForceSyncNum(properties, OUTSTANDING);
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, !forced);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
        properties, SizeInBytes.valueOf(BATCH_BYTES));
    GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(properties, APPENDS_IN_FLIGHT);
    return properties;
  }

  /** The properties of a client. */
  static RaftProperties clientProperties() {
    RaftProperties properties = new RaftProperties();
    RaftClientConfigKeys.Async.setOutstandingRequestsMax(properties, OUTSTANDING);
    // A request that is given up resets the connection, which requests of that moment do not survive.
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, milliseconds(60 * ELECTION_MS));
    return properties;
  }

  private static TimeDuration milliseconds(int ms) {
    return TimeDuration.valueOf(ms, TimeUnit.MILLISECONDS);
  }

  /**
   * Keeps the number of the applied bodies and the CRC32C of all, and answers queries with them.
   */
  private static final class Digest extends BaseStateMachine {
    private final CRC32C crc = new CRC32C();
    private long count;

    @Override
    public synchronized CompletableFuture<Message> applyTransaction(TransactionContext context) {
      LogEntryProto entry = context.getLogEntry();
      crc.update(entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
      count++;
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public synchronized CompletableFuture<Message> query(Message request) {
      ByteString digest = ByteString.copyFromUtf8(SentBodies.digest(count, crc));
      return CompletableFuture.completedFuture(Message.valueOf(digest));
    }

    @Override
    public CompletableFuture<Message> queryStale(Message request, long minIndex) {
      return query(request);
    }
  }
}
