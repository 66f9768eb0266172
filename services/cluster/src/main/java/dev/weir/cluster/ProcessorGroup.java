package dev.weir.cluster;

import dev.weir.cluster.log.Persister;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.MemberChange;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.replica.GroupDriver;
import dev.weir.cluster.replica.GroupReplica;
import dev.weir.cluster.replica.OwnThreads;
import dev.weir.cluster.replica.ReplyOutlet;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.Transport;
import dev.weir.options.OptionTypes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A replica of a processor group on this member. Any thread may call all methods.
 *
 * <p>Methods that bring in messages handle them on the calling thread and may write the log. Do not
 * call these methods on an event loop.
 */
public final class ProcessorGroup implements MessageSink, AutoCloseable {
  private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(200);

  private final GroupOptions options;
  private final GroupReplica replica;
  private final Transport transport;
  private final TransactionLog log;
  private final ReplyOutlet replies;
  private final GroupDriver driver;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A replica with threads of its own. */
  public ProcessorGroup(
      GroupOptions options,
      GroupReplica replica,
      Transport transport,
      TransactionLog log,
      ReplyOutlet replies,
      MessageSource source,
      GroupThreads threads) {
    this(
        options,
        replica,
        transport,
        log,
        replies,
        new OwnThreads(replica, transport, source, threads, options));
  }

  /** A replica that the given threads run. */
  public ProcessorGroup(
      GroupOptions options,
      GroupReplica replica,
      Transport transport,
      TransactionLog log,
      ReplyOutlet replies,
      GroupDriver driver) {
    this.options = options;
    this.replica = replica;
    this.transport = transport;
    this.log = log;
    this.replies = replies;
    this.driver = driver;
  }

  public void start() {
    if (log instanceof Persister persister) {
      persister.startThread();
    }
    replies.start();
    transport.start(replica);
    driver.start();
  }

  @Override
  public GroupOptions options() {
    return new GroupOptions(options);
  }

  @Override
  public OfferResult offer(long clientId, long sequence, ByteBuffer body, int offset, int length) {
    return replica.offer(clientId, sequence, body, offset, length);
  }

  @Override
  public void releaseReplies(long clientId, long before) {
    replica.releaseReplies(clientId, before);
  }

  /**
   * Reads the state of a {@link StateReplicatedProcessor} without an entry in the log. If this
   * replica is primary and may acknowledge, the reader reads during this call, and is told later,
   * perhaps during this call too, whether what it read is confirmed. Such reads are linearizable:
   * they show all that was acknowledged before this call, and nothing that can be undone.
   *
   * @return {@code ACCEPTED}; or {@code NOT_PRIMARY} or {@code UNAVAILABLE}, and the reader is not
   *     called
   * @throws IllegalStateException if the processor is none of that kind
   */
  public OfferResult read(State.Reader reader) {
    return replica.read(reader);
  }

  /**
   * Reads the state that this replica has at the moment, whatever its role is. The state may be
   * older than what was acknowledged elsewhere; and it may have changes that are not acknowledged
   * yet, which a change of role may undo.
   *
   * @param reader called during this call, under the group's lock: it must not block. The state
   *     refuses changes.
   * @return the figures of that moment
   * @throws IllegalStateException if this replica has no such state
   */
  public GroupStats readHere(Consumer<State> reader) {
    return replica.readHere(reader);
  }

  /**
   * Polls a source once, and sends and stores the messages that it offers. During the call only the
   * calling thread delivers replies, unless the group has a thread for replies.
   *
   * @return number of messages the source offered
   */
  public int poll(MessageSource source) {
    return replica.poll(source);
  }

  @Override
  public void flush() {
    replica.flush();
  }

  /**
   * Names of the members of the group by place, as far as this replica knows. The name of a vacant
   * place is empty. While no change is under way, a new member needs them for {@link
   * GroupOptions#setMembers}, with itself in its place, and {@link #witness} for {@link
   * GroupOptions#setWitness}.
   */
  public List<String> members() {
    return replica.membership().list();
  }

  /** Name of the witness, as far as this replica knows; null if the group has none. */
  public String witness() {
    Membership members = replica.membership();
    return members.witness() < 0 ? null : members.name(members.witness());
  }

  /**
   * Adds a member, which gets the history while the group goes on, and then joins those in sync.
   * Start it before or after, with an empty directory and {@link GroupOptions#setMembers} as {@link
   * #members} is after the change. On the primary only.
   *
   * @param member name of the member to be
   * @return completed with the names of the members when the group has the member, at once if it
   *     has it already; exceptionally if this member loses the role before, when {@link #members}
   *     of the next primary knows, or if another change takes the place of one that waits
   * @throws IllegalArgumentException if it is no name
   * @throws IllegalStateException with the reason if this member is not primary, another change is
   *     under way, or the change does not go with the members and {@code minInSync}
   */
  public CompletionStage<List<String>> add(String member) {
    return replica.change(new MemberChange(null, OptionTypes.name("member", member), false));
  }

  /**
   * The same for a {@linkplain GroupOptions#setWitness witness}, as the third beside two members.
   */
  public CompletionStage<List<String>> addWitness(String member) {
    return replica.change(new MemberChange(null, OptionTypes.name("member", member), true));
  }

  /**
   * Takes a member or the witness out of the group, whether it runs or not. Its replica stops when
   * it hears of that; it votes no more and never becomes primary. A name that is no member is out
   * already: the change is made at once. For the rest see {@link #add}.
   *
   * @return as of {@link #add}
   * @throws IllegalStateException as of {@link #add}; and if it is this member: {@link #handOver},
   *     and ask the next primary
   */
  public CompletionStage<List<String>> remove(String member) {
    return replica.change(new MemberChange(OptionTypes.name("member", member), null, false));
  }

  /**
   * Gives the place of a member, or of the witness, to another one, which has the same role. Of two
   * members the new one is in sync before the old one leaves, if a place is vacant; of three the
   * old one leaves first. If the primary of two changes meanwhile, ask the next one for the same:
   * when both are members of a group whose members have changed, the old one leaves as soon as the
   * new one is in sync. For the rest see {@link #add}.
   *
   * @param member name of the member that leaves
   * @param by name of the member to be
   * @return as of {@link #add}; at once if {@code by} is a member and {@code member} is none
   * @throws IllegalStateException as of {@link #remove}; and if {@code member} is no member, or
   *     {@code by} is one and the group is none of three that hold messages, or its members never
   *     changed
   */
  public CompletionStage<List<String>> replace(String member, String by) {
    return replica.change(
        new MemberChange(OptionTypes.name("member", member), OptionTypes.name("by", by), false));
  }

  /**
   * Gives up the role of primary: another member in sync takes over, and this one follows it.
   * Clients send again to the next primary what has no reply yet.
   *
   * @throws IllegalStateException if this member is not primary, or no other one is in sync
   */
  public void handOver() {
    if (primaryView().stats().inSync() < 2) {
      throw new IllegalStateException("no other member is in sync");
    }
    replica.handOver(null);
  }

  /**
   * Gives up the role of primary, so that a certain member takes over. The third member of a group
   * lets it stand first. If it cannot take over at once, such as because it fails at that moment or
   * runs an older version, the third may be primary instead. Of three, nobody is primary for up to
   * {@code takeoverMs} if a member has started, or another one was primary, so short a time ago.
   *
   * @param to name of the member
   * @throws IllegalStateException if this member is not primary, or {@code to} is not another
   *     member in sync
   */
  public void handOver(String to) {
    OptionTypes.name("to", to);
    if (primaryView().peers().stream().noneMatch(it -> it.inSync() && it.name().equals(to))) {
      throw new IllegalStateException(to + " is not another member in sync");
    }
    replica.handOver(to);
  }

  private GroupView primaryView() {
    GroupView view = view();
    if (view.stats().role() != Role.PRIMARY) {
      throw new IllegalStateException("this member is not primary");
    }
    return view;
  }

  /** The present figures of this replica. */
  public GroupStats stats() {
    return replica.stats();
  }

  /**
   * The present figures of this replica, with what it knows of the other members, and its last
   * changes of role. May wait a moment for the log.
   */
  public GroupView view() {
    return replica.view();
  }

  /**
   * Leaves the group: refuses further messages, waits up to two seconds for open replies, and gives
   * up the role, so that another member in sync takes over. The next primary answers messages
   * without a reply. A second call does nothing.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    replica.refuseAll();
    long endNs = System.nanoTime() + DRAIN_NS;
    while (!replica.isDone() && endNs - System.nanoTime() > 0) {
      LockSupport.parkNanos(WAIT_NS);
    }
    replica.stepDown();
    stop();
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Leaves the group as a killed process would, but closes the files. */
  void stop() {
    driver.stop();
    transport.close();
    log.close();
    replies.close();
  }
}
