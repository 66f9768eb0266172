package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.PeerDirectory;
import dev.weir.cluster.transport.Transport;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * The transport over TCP, with one connection for each pair of members, or a stream of the one that
 * their groups share. If the group spins, the callers of {@link #poll} and {@link #send} read and
 * write all data; otherwise a {@link TcpReader} reads.
 */
public final class TcpTransport implements Transport {
  private static final long POLL_NS = 10_000;

  private final TcpEndpoint endpoint;
  private final PeerDirectory directory;
  private final GroupOptions options;
  private final FrameLimits limits;
  private volatile GroupAgreement agreement;
  private final String self;
  private volatile Membership membership;

  /** By slot; null for this member and for a slot that was always vacant. */
  private volatile TcpLink[] links;

  /** Null if the links are polled. */
  private final TcpReader reader;

  /** Whether other groups have the same reader. */
  private final boolean sharesReader;

  private volatile Receiver receiver;
  private volatile Thread polling;
  private volatile boolean closed;

  /**
   * @param agreement what other members must share to be connected
   * @param self name of this member, one of the group's
   * @param threads is told of the thread that reads, if there is one of this group alone
   * @throws UncheckedIOException if the process has no more file descriptors
   */
  public TcpTransport(
      TcpEndpoint endpoint,
      PeerDirectory directory,
      GroupOptions options,
      GroupAgreement agreement,
      String self,
      GroupThreads threads) {
    this.endpoint = endpoint;
    this.directory = directory;
    this.options = new GroupOptions(options);
    this.limits = FrameLimits.of(options);
    this.agreement = agreement;
    this.self = self;
    this.sharesReader = threads.mayShare();
    this.reader = reader(threads);
    this.membership = Membership.of(options);
    this.links = linksTo(membership, new TcpLink[Membership.SLOTS]);
  }

  /** The links of other slots than that of this member; those that were there are kept. */
  private TcpLink[] linksTo(Membership members, TcpLink[] before) {
    TcpLink[] all = new TcpLink[Membership.SLOTS];
    for (int slot = 0; slot < all.length; slot++) {
      String name = members.name(slot);
      boolean isNew = before[slot] == null && !name.equals(Membership.VACANT);
      if (slot != members.slot(self)) {
        all[slot] = isNew ? link(slot, name) : before[slot];
      }
    }
    return all;
  }

  private TcpLink link(int slot, String name) {
    TcpLink link = new TcpLink(group(), slot, name, limits, reader, endpoint::wake);
    if (receiver != null) {
      link.begin(receiver);
    }
    return link;
  }

  @Override
  public synchronized void members(Membership members) {
    if (closed || members.slot(self) < 0) {
      // Who is no member any more is told so by those it knows.
      return;
    }
    agreement = agreement.with(members);
    if (members.equals(membership)) {
      return;
    }
    TcpLink[] before = receiver == null ? new TcpLink[Membership.SLOTS] : links;
    membership = members;
    links = linksTo(members, before);
    for (int slot = 0; slot < before.length; slot++) {
      if (before[slot] != null && !before[slot].name().equals(members.name(slot))) {
        before[slot].rename(members.name(slot));
      } else if (receiver != null && before[slot] == null && links[slot] != null) {
        endpoint.add(this, links[slot]);
      }
    }
    endpoint.wake();
  }

  private TcpReader reader(GroupThreads threads) {
    if (options.getLinkWaiting() == Waiting.SPIN) {
      return null;
    }
    return sharesReader
        ? endpoint.reader(options.getName())
        : new TcpReader(
            "weir-tcp-" + self + "-" + options.getName(),
            () -> threads.begin(GroupDuty.LINK_READER));
  }

  @Override
  public synchronized void start(Receiver receiver) {
    this.receiver = receiver;
    for (TcpLink link : links) {
      if (link != null) {
        link.begin(receiver);
      }
    }
    if (reader != null && !sharesReader) {
      reader.start();
    }
    endpoint.add(this);
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    limits.check(frame);
    TcpLink link = links[member];
    return link != null && link.send(frame);
  }

  @Override
  public void drop(int member) {
    TcpLink link = links[member];
    if (link != null) {
      link.drop();
    }
  }

  @Override
  public int poll() {
    if (reader != null) {
      return 0;
    }
    polling = Thread.currentThread();
    int frames = 0;
    if (!closed) {
      for (TcpLink link : links) {
        frames += link == null ? 0 : link.work(receiver);
      }
    }
    polling = null;
    return frames;
  }

  @Override
  public void close() {
    closed = true;
    endpoint.remove(this);
    for (TcpLink link : links) {
      if (link != null) {
        link.end();
      }
    }
    closeReader();
    while (polling != null && polling != Thread.currentThread()) {
      LockSupport.parkNanos(this, POLL_NS);
    }
    for (TcpLink link : links) {
      if (link != null) {
        link.close();
      }
    }
    if (reader != null && sharesReader) {
      // Closed connections leave the selector in its next turn.
      reader.awaitTurn();
    }
  }

  private void closeReader() {
    if (reader != null && sharesReader) {
      reader.awaitTurn();
    } else if (reader != null) {
      reader.close();
    }
  }

  String group() {
    return options.getName();
  }

  /** The link to the member of this name; null for this member and for one outside the group. */
  TcpLink link(String name) {
    int member = membership.slot(name);
    return member < 0 ? null : links[member];
  }

  TcpLink[] links() {
    return links;
  }

  /** Whether this reader reads the links, and those of other groups. */
  boolean isReadBy(TcpReader shared) {
    return sharesReader && reader == shared;
  }

  /** Which of the trunks to a member its streams are of; -1 if it has connections of its own. */
  int trunk() {
    return sharesReader && reader != null ? endpoint.index(reader) : -1;
  }

  /** Whether this member makes the connection, not the other one. */
  boolean dials(TcpLink link) {
    return membership.slot(self) < link.member();
  }

  Peer find(TcpLink link) {
    return directory.find(link.name());
  }

  /** The greeting that this end sends to a member. */
  Hello hello(String to) {
    return new Hello(
        endpoint.cluster(),
        group(),
        endpoint.secret() == null ? agreement : agreement.withSecret(),
        self,
        to,
        endpoint.incarnation(),
        endpoint.address());
  }

  /** Why a connection with this greeting must be refused; null if it can be used. */
  String refusal(Hello theirs) {
    TcpLink link = link(theirs.from());
    if (link == null || !theirs.to().equals(self)) {
      String from = theirs.from();
      return "it is for "
          + theirs.to()
          + " from "
          + from
          + ", which"
          + GroupAgreement.NO_MEMBER_HERE;
    }
    String difference = agreement.difference(theirs.agreement(), self, theirs.from());
    if (difference == null && isSecond(link, theirs)) {
      return "another process with the name " + theirs.from() + " is connected";
    }
    return difference;
  }

  /**
   * The refusal of a connection with this greeting as the log of the other member is to have it.
   */
  String refusalThere(Hello theirs, String refusal) {
    String difference = theirs.agreement().difference(agreement, theirs.from(), self);
    return difference == null ? refusal : difference;
  }

  /** Whether another process, which the cluster knows by the same name, is connected already. */
  private boolean isSecond(TcpLink link, Hello theirs) {
    TcpConnection connection = link.current();
    Peer known = find(link);
    return connection != null
        && known != null
        && connection.incarnation() == known.incarnation()
        && theirs.incarnation() != known.incarnation();
  }
}
