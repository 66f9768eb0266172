package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.ConnectionListener;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.ServerConnection;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.Probe;
import dev.weir.queue.store.UninterruptibleThread;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends and receives {@link FrameOperation}s for all groups of a member over the connections of
 * Hazelcast. It uses internal classes of Hazelcast, as only the links and the operation itself do
 * besides: on few CPUs the public API would start a thread for each answer.
 */
public final class HazelcastWire implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastWire.class);

  /** Time between two ticks of a link. */
  static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final int PROBE_MS = 200;

  private final String self;
  private final long incarnation;
  private final AtomicLong sessions = new AtomicLong();
  private final Map<String, HazelcastTransport> groups = new ConcurrentHashMap<>();
  private final LossProbes probes = new LossProbes(address -> Probe.ask(address, PROBE_MS));
  private final UninterruptibleThread thread;
  private HazelcastMembers members;
  private Node node;
  private volatile boolean awake;
  private volatile boolean closed;

  /**
   * @param self name of this member
   */
  public HazelcastWire(String self, long incarnation) {
    this.self = self;
    this.incarnation = incarnation;
    this.thread = new UninterruptibleThread(this::loop, "weir-hazelcast-" + self);
  }

  /** Registers the operation; must be called before the Hazelcast member starts. */
  public void configure(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(FrameOperation.FACTORY_ID, classId -> new FrameOperation(this));
  }

  /** Begins to work; must be called once after the Hazelcast member has started. */
  public void start(HazelcastMembers members) {
    this.members = members;
    node = ((HazelcastInstanceProxy) members.hazelcast()).getOriginal().node;
    node.getServer()
        .getConnectionManager(EndpointQualifier.MEMBER)
        .addConnectionListener(new Connections());
    thread.start();
  }

  /** By the wire's thread. */
  LossProbes probes() {
    return probes;
  }

  String self() {
    return self;
  }

  /** The other member if it is in the cluster now; otherwise null. */
  Peer find(String name) {
    return node.isRunning() ? members.findPresent(name) : null;
  }

  LinkSession newSession() {
    return new LinkSession(incarnation, sessions.incrementAndGet());
  }

  void add(String group, HazelcastTransport transport) {
    groups.put(group, transport);
    wake();
  }

  void remove(String group, HazelcastTransport transport) {
    groups.remove(group, transport);
  }

  /** Sends to a member to which Hazelcast may not be connected yet. */
  void send(Peer peer, FrameOperation operation) {
    node.getNodeEngine().getOperationService().send(operation, new Address(peer.hazelcast()));
  }

  /**
   * Sends on a connection, after everything that was sent on it before.
   *
   * @return false if the connection is closed
   */
  boolean send(ServerConnection connection, FrameOperation operation) {
    byte[] bytes = node.getSerializationService().toBytes(operation);
    Packet packet = new Packet(bytes, operation.getPartitionId());
    return connection.write(packet.setPacketType(Packet.Type.OPERATION));
  }

  /** Hands a message to its link; called by several threads of Hazelcast at once. */
  void receive(FrameOperation operation) {
    HazelcastTransport transport = groups.get(operation.group());
    HazelcastLink link = transport == null ? null : transport.link(operation.from());
    if (link != null) {
      link.receive(operation);
    }
  }

  /** Makes all links tick at once. */
  void wake() {
    awake = true;
    LockSupport.unpark(thread);
  }

  private void loop() {
    while (!closed) {
      awake = false;
      try {
        probes.begin();
        groups.values().forEach(HazelcastTransport::tick);
      } catch (RuntimeException e) {
        LOG.error("{} failed; it tries again", thread.getName(), e);
      }
      if (!awake && !closed) {
        LockSupport.parkNanos(this, TICK_NS);
      }
    }
  }

  /** Must be called after the groups are closed, before the Hazelcast member leaves. */
  @Override
  public void close() {
    closed = true;
    wake();
    thread.awaitEnd();
  }

  private final class Connections implements ConnectionListener<ServerConnection> {
    @Override
    public void connectionAdded(ServerConnection connection) {}

    @Override
    public void connectionRemoved(ServerConnection connection) {
      wake();
    }
  }
}
