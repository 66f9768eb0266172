package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.transport.SharedSecret;
import dev.weir.cluster.transport.WarningLog;
import dev.weir.options.HeapExhaustion;
import dev.weir.queue.store.UninterruptibleThread;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening socket of a member, and the thread that establishes the connections of all its
 * groups. The thread accepts, dials, exchanges {@link Hello}s, and probes lost processes; it
 * carries no frames. The readers that groups share are its too, and the {@link Trunks}.
 *
 * <p>It must be closed last: while it listens, other members consider this process alive.
 */
public final class TcpEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpEndpoint.class);
  private static final long RETRY_MS = 50;
  private static final int BACKLOG = 256;

  /** Connections that have not said yet which group they are for, however many strangers come. */
  private static final int MAX_ACCEPTED = 512;

  /** So that a group whose handler is slow does not hold up all others of a small machine. */
  private static final int MIN_READERS = 2;

  private static final int MAX_READERS = 8;

  private final String cluster;
  private final long incarnation;

  /** Null if connections are not encrypted. */
  private final Tls tls;

  /** Null if members need not know one. */
  private final SharedSecret secret;

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final InetSocketAddress address;
  private final UninterruptibleThread thread;
  private final Map<TcpTransport, List<TcpDialer>> groups = new ConcurrentHashMap<>();
  private final List<TcpReader> readers = new ArrayList<>();
  private final Set<TcpAttempt> pending = new LinkedHashSet<>();
  private final Trunks trunks;

  /** For the endpoint's thread. */
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** About members that this one dials. */
  private final WarningLog dialing;

  /** About those that dial this member, who may be anybody. */
  private final WarningLog accepting;

  private volatile boolean closed;

  /**
   * Begins to listen.
   *
   * @param incarnation random number that identifies this process
   * @throws IllegalArgumentException if the host is not one of this machine, or a file of TLS or of
   *     the secret cannot be used
   * @throws UncheckedIOException if the port is in use or the public host is unknown
   */
  public TcpEndpoint(NodeOptions options, long incarnation) {
    this.cluster = options.getClusterName();
    this.incarnation = incarnation;
    this.trunks = new Trunks(this, options.getMemberName());
    this.tls = Tls.of(options);
    this.secret = SharedSecret.read("secretFile", options.getSecretFile());
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
    thread = new UninterruptibleThread(this::loop, "weir-tcp-" + options.getMemberName());
    dialing = new WarningLog(LOG, thread.getName());
    accepting = new WarningLog(LOG, thread.getName());
    thread.start();
  }

  private void bind(NodeOptions options) throws IOException {
    InetSocketAddress wanted =
        new InetSocketAddress(
            InetAddress.getByName(options.getReplicationHost()), options.getReplicationPort());
    try {
      listener.bind(wanted, BACKLOG);
    } catch (IOException e) {
      listener.close();
      selector.close();
      throw new IOException(
          "replicationPort "
              + options.getReplicationPort()
              + " cannot be had on host "
              + options.getReplicationHost()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static InetAddress publicHost(NodeOptions options) throws IOException {
    try {
      return InetAddress.getByName(options.getPublicReplicationHost());
    } catch (UnknownHostException e) {
      throw new IOException("publicHost " + options.getPublicReplicationHost() + " is unknown", e);
    }
  }

  String cluster() {
    return cluster;
  }

  Tls tls() {
    return tls;
  }

  SharedSecret secret() {
    return secret;
  }

  long incarnation() {
    return incarnation;
  }

  /** The address at which other members reach this one. */
  public InetSocketAddress address() {
    return address;
  }

  /** Begins to connect a group. */
  void add(TcpTransport transport) {
    List<TcpDialer> dialers = new CopyOnWriteArrayList<>();
    for (TcpLink link : transport.links()) {
      if (link != null) {
        dialers.add(new TcpDialer(this, transport, link));
      }
    }
    groups.put(transport, dialers);
    wake();
  }

  /** Begins to connect a member that has joined a group, unless the group is closed already. */
  void add(TcpTransport transport, TcpLink link) {
    List<TcpDialer> dialers = groups.get(transport);
    if (dialers != null) {
      dialers.add(new TcpDialer(this, transport, link));
    }
  }

  Trunks trunks() {
    return trunks;
  }

  /** A new socket that does not block; null if there is none, which is logged. */
  SocketChannel openChannel() {
    try {
      SocketChannel channel = SocketChannel.open();
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      dialing.add("cannot open a socket: " + e.getMessage());
      return null;
    }
  }

  /** The reader that a group of this name shares with others. */
  TcpReader reader(String group) {
    return reader(group.hashCode());
  }

  /** The reader of trunks of this index. */
  TcpReader reader(int index) {
    synchronized (readers) {
      if (readers.isEmpty()) {
        int cpus = Runtime.getRuntime().availableProcessors();
        int count = Math.max(MIN_READERS, Math.min(MAX_READERS, cpus));
        List<TcpReader> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          all.add(new TcpReader(thread.getName() + "-" + i, () -> {}));
        }
        all.forEach(TcpReader::start);
        readers.addAll(all);
      }
      return readers.get(Math.floorMod(index, readers.size()));
    }
  }

  /** The index of a shared reader. */
  int index(TcpReader reader) {
    synchronized (readers) {
      return readers.indexOf(reader);
    }
  }

  void remove(TcpTransport transport) {
    groups.remove(transport);
  }

  /** The transport of the group of that name; null if it does not run here. */
  TcpTransport group(String name) {
    for (TcpTransport transport : groups.keySet()) {
      if (transport.group().equals(name)) {
        return transport;
      }
    }
    return null;
  }

  /** Makes all dialers work at once. */
  void wake() {
    selector.wakeup();
  }

  /** Has a task run by this endpoint's thread; any thread. */
  void execute(Runnable task) {
    tasks.add(task);
    selector.wakeup();
  }

  /** Takes a stream that the other end of a trunk has opened; by a reader. */
  void accept(TrunkStream stream) {
    TcpAccepted accepted = new TcpAccepted(this, stream);
    execute(() -> follow(accepted));
  }

  /** Watches an attempt on a trunk until it ends; on this endpoint's thread. */
  void follow(TcpAttempt attempt) {
    pending.add(attempt);
  }

  /** Watches an attempt until it ends; on this endpoint's thread. */
  void follow(TcpAttempt attempt, int operations) {
    try {
      attempt.channel().register(selector, operations, attempt);
      pending.add(attempt);
    } catch (IOException e) {
      attempt.fail(e);
    }
  }

  /** Stops to watch a channel, which is handed over to a link; on this endpoint's thread. */
  void release(SocketChannel channel) {
    channel.keyFor(selector).cancel();
  }

  /** Warnings about members that this one cannot connect. */
  WarningLog dialing() {
    return dialing;
  }

  /** Warnings about connections that are refused here, which strangers can have any number of. */
  WarningLog accepting() {
    return accepting;
  }

  private void loop() {
    while (!closed) {
      try {
        selector.select(this::ready, isSettled() ? 0 : RETRY_MS);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
        long nowNs = System.nanoTime();
        pending.removeIf(attempt -> attempt.isOver(nowNs));
        groups.values().forEach(dialers -> dialers.forEach(dialer -> dialer.work(nowNs)));
      } catch (Throwable e) {
        LOG.error("{} failed; it tries again", thread.getName(), e);
        HeapExhaustion.report(e);
      }
    }
  }

  private boolean isSettled() {
    return pending.isEmpty()
        && groups.values().stream().allMatch(all -> all.stream().allMatch(TcpDialer::isSettled));
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof TcpAttempt attempt) {
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
        makeRoom();
        follow(new TcpAccepted(this, channel), SelectionKey.OP_READ);
      }
    } catch (IOException e) {
      // Not among those of accepting, which strangers can use up.
      dialing.add("could not accept a connection: " + e.getMessage());
      pause();
    }
  }

  /** Ends the oldest connection without a greeting if there are too many: members greet at once. */
  private void makeRoom() {
    List<TcpAttempt> accepted =
        pending.stream().filter(each -> each instanceof TcpAccepted && !each.isOnTrunk()).toList();
    if (accepted.size() >= MAX_ACCEPTED) {
      accepted.get(0).fail(null);
      pending.remove(accepted.get(0));
    }
  }

  /** Pauses: without file descriptors the listener stays ready, and the thread would spin. */
  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops listening and dialing; connections of links that are in use stay open. */
  @Override
  public void close() {
    closed = true;
    wake();
    thread.awaitEnd();
    synchronized (readers) {
      readers.forEach(TcpReader::close);
    }
    trunks.closeAll();
    try {
      pending.forEach(attempt -> attempt.fail(null));
      listener.close();
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
