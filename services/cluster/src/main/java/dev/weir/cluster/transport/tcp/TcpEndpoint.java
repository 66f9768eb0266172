package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.transport.Hello;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening socket of a member and the one thread that makes connections for all its groups:
 * accepts, dials, exchanges {@link Hello}s and finds out whether a lost process is gone. Data is
 * not its business.
 *
 * <p>Close it last: while it listens, other members take this process for alive.
 */
public final class TcpEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpEndpoint.class);
  private static final long RETRY_MS = 50;
  private static final int BACKLOG = 256;
  private static final int MAX_SAID = 256;

  private final String cluster;
  private final long incarnation;
  private final Selector selector;
  private final ServerSocketChannel listener;
  private final InetSocketAddress address;
  private final Thread thread;
  private final Map<TcpTransport, List<TcpDialer>> groups = new ConcurrentHashMap<>();
  private final Set<TcpPending> pending = new LinkedHashSet<>();
  private final Set<String> said = new HashSet<>();
  private volatile boolean closed;

  /**
   * Listens from now on.
   *
   * @param incarnation of this member, told to the others
   * @throws IllegalArgumentException if the host is not one of this machine
   * @throws UncheckedIOException if the port is taken or the public host is unknown
   */
  public TcpEndpoint(NodeOptions options, long incarnation) {
    this.cluster = options.getClusterName();
    this.incarnation = incarnation;
    try {
      InetAddress publicHost = publicHost(options);
      selector = Selector.open();
      listener = ServerSocketChannel.open();
      listener.configureBlocking(false);
      bind(options);
      listener.register(selector, SelectionKey.OP_ACCEPT);
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      int publicPort = options.getPublicReplicationPort();
      address = new InetSocketAddress(publicHost, publicPort == 0 ? port : publicPort);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread = new Thread(this::loop, "weir-tcp-" + options.getMemberName());
    thread.setDaemon(true);
    thread.start();
  }

  private void bind(NodeOptions options) throws IOException {
    InetSocketAddress wanted =
        new InetSocketAddress(
            InetAddress.getByName(options.getHost()), options.getReplicationPort());
    try {
      listener.bind(wanted, BACKLOG);
    } catch (IOException e) {
      listener.close();
      selector.close();
      throw new IOException(
          "replicationPort "
              + options.getReplicationPort()
              + " cannot be had on host "
              + options.getHost()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static InetAddress publicHost(NodeOptions options) throws IOException {
    try {
      return InetAddress.getByName(options.getPublicHost());
    } catch (UnknownHostException e) {
      throw new IOException("publicHost " + options.getPublicHost() + " is unknown", e);
    }
  }

  String cluster() {
    return cluster;
  }

  long incarnation() {
    return incarnation;
  }

  /** Where other members reach it. */
  public InetSocketAddress address() {
    return address;
  }

  /** Begins to connect the group. */
  void add(TcpTransport transport) {
    List<TcpDialer> dialers = new ArrayList<>();
    for (TcpLink link : transport.links()) {
      if (link != null) {
        dialers.add(new TcpDialer(this, transport, link));
      }
    }
    groups.put(transport, dialers);
    wake();
  }

  void remove(TcpTransport transport) {
    groups.remove(transport);
  }

  /** The group of that name on this member, or null. */
  TcpTransport group(String name) {
    for (TcpTransport transport : groups.keySet()) {
      if (transport.group().equals(name)) {
        return transport;
      }
    }
    return null;
  }

  /** Looks at once whether there is something to dial. */
  void wake() {
    selector.wakeup();
  }

  /** Follows a connection on its way until it is ready, fails or is too late; on the own thread. */
  void follow(TcpPending attempt, int operations) {
    try {
      attempt.channel().register(selector, operations, attempt);
      pending.add(attempt);
    } catch (IOException e) {
      attempt.fail(e);
    }
  }

  /** Leaves the channel to somebody else; on the own thread. */
  void release(TcpPending attempt) {
    attempt.channel().keyFor(selector).cancel();
    attempt.end();
  }

  /** Logs what would be said again with every attempt. On the own thread. */
  void warn(String text) {
    if (said.size() < MAX_SAID && said.add(text)) {
      LOG.warn("{} {}", thread.getName(), text);
    }
  }

  private void loop() {
    while (!closed) {
      try {
        selector.select(this::ready, isSettled() ? 0 : RETRY_MS);
        long nowNs = System.nanoTime();
        pending.removeIf(attempt -> attempt.isOver(nowNs));
        groups.values().forEach(dialers -> dialers.forEach(dialer -> dialer.work(nowNs)));
      } catch (IOException | RuntimeException e) {
        LOG.error("{} could not do its work", thread.getName(), e);
      }
    }
  }

  private boolean isSettled() {
    return pending.isEmpty()
        && groups.values().stream().allMatch(all -> all.stream().allMatch(TcpDialer::isSettled));
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof TcpPending attempt) {
      attempt.ready();
    } else {
      accept();
    }
  }

  private void accept() {
    try {
      SocketChannel channel = listener.accept();
      if (channel != null) {
        channel.configureBlocking(false);
        follow(new TcpAccepted(this, channel), SelectionKey.OP_READ);
      }
    } catch (IOException e) {
      LOG.warn("{} could not accept a connection: {}", thread.getName(), e.getMessage());
      rest();
    }
  }

  /** Without descriptors the listener stays ready: do not ask it without pause. */
  private void rest() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops to listen and to dial; connections in use go on. */
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
    try {
      pending.forEach(attempt -> attempt.fail(null));
      listener.close();
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
