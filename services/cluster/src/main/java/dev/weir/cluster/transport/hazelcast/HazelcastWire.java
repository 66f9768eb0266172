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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends and receives {@link FrameOperation}s for all groups of a member over the connections that
 * Hazelcast has anyway. The only class that uses what is internal to Hazelcast, beside the
 * operation itself: its public API would start a thread for each answer where there are few CPUs.
 */
public final class HazelcastWire implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastWire.class);

  /** Between two looks at a link. */
  static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String self;
  private final long incarnation;
  private final AtomicLong sessions = new AtomicLong();
  private final Map<String, HazelcastTransport> groups = new ConcurrentHashMap<>();
  private final Thread thread;
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
    this.thread = new Thread(this::loop, "weir-hazelcast-" + self);
    this.thread.setDaemon(true);
  }

  /** To be called before the member starts: it must know what it is to receive. */
  public void configure(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(FrameOperation.FACTORY_ID, classId -> new FrameOperation(this));
  }

  /** To be called once the member has started. */
  public void start(HazelcastMembers members) {
    this.members = members;
    node = ((HazelcastInstanceProxy) members.hazelcast()).getOriginal().node;
    node.getServer()
        .getConnectionManager(EndpointQualifier.MEMBER)
        .addConnectionListener(new Connections());
    thread.start();
  }

  String self() {
    return self;
  }

  /** The other member if it is in the cluster now, else null. */
  Peer find(String name) {
    return node.isRunning() ? members.findPresent(name) : null;
  }

  Session newSession() {
    return new Session(incarnation, sessions.incrementAndGet());
  }

  void add(String group, HazelcastTransport transport) {
    groups.put(group, transport);
    wake();
  }

  void remove(String group, HazelcastTransport transport) {
    groups.remove(group, transport);
  }

  /** Sends to a member that may not be connected yet. */
  void send(Peer peer, FrameOperation operation) {
    node.getNodeEngine().getOperationService().send(operation, new Address(peer.hazelcast()));
  }

  /**
   * Sends behind all that was sent on this connection before.
   *
   * @return false if it is closed
   */
  boolean send(ServerConnection connection, FrameOperation operation) {
    byte[] bytes = node.getSerializationService().toBytes(operation);
    Packet packet = new Packet(bytes, operation.getPartitionId());
    return connection.write(packet.setPacketType(Packet.Type.OPERATION));
  }

  /** Called by the threads of Hazelcast that run operations, by several at once. */
  void receive(FrameOperation operation) {
    HazelcastTransport transport = groups.get(operation.group());
    HazelcastLink link = transport == null ? null : transport.link(operation.from());
    if (link != null) {
      link.receive(operation);
    }
  }

  /** Looks at once after links that have been lost. */
  void wake() {
    awake = true;
    LockSupport.unpark(thread);
  }

  private void loop() {
    while (!closed) {
      awake = false;
      try {
        groups.values().forEach(HazelcastTransport::tick);
      } catch (RuntimeException e) {
        LOG.error("{} could not do its work", thread.getName(), e);
      }
      if (!awake && !closed) {
        LockSupport.parkNanos(this, TICK_NS);
      }
    }
  }

  /** To be called before the member leaves, after its groups have been closed. */
  @Override
  public void close() {
    closed = true;
    wake();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
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
