package dev.weir.cluster;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.Persister;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.replica.DetachedReplies;
import dev.weir.cluster.replica.GroupDriver;
import dev.weir.cluster.replica.GroupReplica;
import dev.weir.cluster.replica.GuardedReplySink;
import dev.weir.cluster.replica.MemberThreads;
import dev.weir.cluster.replica.OwnThreads;
import dev.weir.cluster.replica.ReplyOutlet;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.Handling;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.NoState;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.state.StateReplication;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.threads.Turn;
import dev.weir.cluster.transport.DetachedDispatcher;
import dev.weir.cluster.transport.DetachedSender;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.cluster.transport.Transport;
import dev.weir.options.Checks;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Builds and starts a replica of a group. Processor and reply sink are required, except on the
 * group's {@link GroupOptions#setWitness witness}: it has no processor, and needs no reply sink.
 */
public final class GroupBuilder {
  private static final ReplySink NO_REPLIES = (client, sequence, buffer, offset, length) -> {};

  private final GroupOptions options;
  private final Start start;
  private final Consumer<ProcessorGroup> started;
  private EventSourcedProcessor eventSourced;
  private StateReplicatedProcessor stateReplicated;
  private ReplySink replies;
  private Role.Listener roles = (role, epoch) -> {};
  private RejectionListener rejections = (message, cause) -> {};
  private MessageSource source;
  private Consumer<GroupDuty> onThread;
  private State.Heap objectHeap;

  /**
   * Finds the index of this member and its transport. Threads of the transport belong to the group.
   */
  @FunctionalInterface
  public interface Start {
    Place place(GroupOptions options, GroupAgreement agreement, GroupThreads threads);
  }

  /**
   * @param self index of this member
   * @param directory directory that holds the group's log; null without persistence
   * @param log opens the log; not called without persistence
   * @param shared threads for a group that needs none of its own; null if there are none
   */
  public record Place(
      int self,
      Path directory,
      Supplier<? extends TransactionLog> log,
      Transport transport,
      MemberThreads shared) {
    /** The log has the directory for itself. */
    public Place(int self, Path directory, Transport transport) {
      this(self, directory, () -> JeTransactionLog.open(directory), transport, null);
    }
  }

  /**
   * @param started is called with the running group
   */
  public GroupBuilder(GroupOptions options, Start start, Consumer<ProcessorGroup> started) {
    this.options = new GroupOptions(Checks.notNull("options", options)).validate();
    this.start = start;
    this.started = started;
  }

  /**
   * A group of this process alone: nothing is replicated. The options must name one member.
   *
   * @param directory of the log, created if absent; may be null without persistence
   * @throws IllegalArgumentException if the options do not go together, name other members, or need
   *     a directory
   */
  public static GroupBuilder alone(GroupOptions options, Path directory) {
    if (Checks.notNull("options", options).isPersistence()) {
      Checks.notNull("directory", directory);
    }
    if (options.getMembers().size() != 1) {
      throw new IllegalArgumentException(
          "members is " + options.getMembers() + ", allowed for a group alone is one");
    }
    return new GroupBuilder(
        options,
        (o, agreement, threads) -> new Place(0, directory, new NoTransport()),
        group -> {});
  }

  /** Handles messages by event sourcing. */
  public GroupBuilder processor(EventSourcedProcessor processor) {
    eventSourced = Checks.notNull("processor", processor);
    stateReplicated = null;
    return this;
  }

  /** Handles messages by state replication. */
  public GroupBuilder processor(StateReplicatedProcessor processor) {
    stateReplicated = Checks.notNull("processor", processor);
    eventSourced = null;
    return this;
  }

  /**
   * Keeps the objects of a {@link StateReplicatedProcessor} on the disk of the log, and in memory
   * those that were used last, as far as the heap has room. So a handler may have to wait for the
   * disk. Without this, and without persistence, all are in memory; those that are on the disk
   * already stay there.
   */
  public GroupBuilder stateOnDisk(State.Heap heap) {
    objectHeap = Checks.notNull("heap", heap);
    return this;
  }

  /** Sets the receiver of replies. */
  public GroupBuilder replies(ReplySink replies) {
    this.replies = Checks.notNull("replies", replies);
    return this;
  }

  /** Sets a listener for changes of the replica's role; what it throws is logged. */
  public GroupBuilder roles(Role.Listener roles) {
    this.roles = Checks.notNull("roles", roles);
    return this;
  }

  /** Sets a listener for messages whose handler throws; each is logged anyway. */
  public GroupBuilder rejections(RejectionListener rejections) {
    this.rejections = Checks.notNull("rejections", rejections);
    return this;
  }

  /** Sets the source that the group's thread polls; null, the default, if others offer messages. */
  public GroupBuilder source(MessageSource source) {
    this.source = source;
    return this;
  }

  /**
   * Sets a callback that each thread of the group calls first, with its duty: to bind the thread to
   * CPUs, for instance. Threads that the groups of a member share do not call it. A group with this
   * callback shares only the dialer of TCP connections and the threads of Hazelcast. The callback
   * must not throw.
   */
  public GroupBuilder onThread(Consumer<GroupDuty> onThread) {
    this.onThread = Checks.notNull("onThread", onThread);
    return this;
  }

  /**
   * Recovers the replica from its log and starts its threads. The replica takes a role later.
   * Blocks while the log is read.
   *
   * @throws IllegalStateException if there is no processor or no reply sink, a witness has a
   *     processor, the directory knows that this member was taken out of the group, or it has
   *     messages of a later version of the application
   * @throws IllegalArgumentException if the directory of a witness holds messages, or the version
   *     that the processor states is out of range
   */
  public ProcessorGroup start() {
    GroupThreads threads =
        new GroupThreads(options, onThread == null ? duty -> {} : onThread, mayShare());
    Place place = start.place(options, GroupAgreement.of(options, kind()), threads);
    TransactionLog log = null;
    boolean running = false;
    try {
      log = open(place, threads);
      Membership members = Membership.of(log.record(), options);
      int self = slot(options.getMembers().get(place.self()), members);
      checkProcessor(self, members);
      checkWitness(self, members, place, log);
      if (log.record().membership() != null) {
        place.transport().members(members);
      }
      Transport transport = transport(place.transport(), threads);
      ReplySink sink =
          new GuardedReplySink(replies == null ? NO_REPLIES : replies, roles, options.getName());
      ReplyOutlet outlet =
          options.getThreads().getReplies() == null
              ? ReplyOutlet.to(sink)
              : new DetachedReplies(sink, options, threads);
      History history = history(log);
      GroupReplica replica =
          new GroupReplica(options, self, history, outlet, rejections, transport);
      threads.connect(replica);
      GroupDriver driver = driver(place, replica, history, transport, threads);
      ProcessorGroup group = new ProcessorGroup(options, replica, transport, log, outlet, driver);
      group.start();
      running = true;
      started.accept(group);
      return group;
    } finally {
      if (!running) {
        place.transport().close();
        if (log != null) {
          log.close();
        }
      }
    }
  }

  /** Whether the group has no need of a thread of its own. */
  private boolean mayShare() {
    return source == null
        && onThread == null
        && options.getWaiting() == Waiting.BLOCK
        && options.getLinkWaiting() == Waiting.BLOCK
        && options.getThreads().toMap().equals(new ThreadOptions().toMap());
  }

  private GroupDriver driver(
      Place place,
      GroupReplica replica,
      History history,
      Transport transport,
      GroupThreads threads) {
    if (place.shared() == null || !threads.mayShare()) {
      return new OwnThreads(replica, transport, source, threads, options);
    }
    Runnable persist = replica::persist;
    history.persistLater(() -> Turn.writeAtEnd(persist));
    return place.shared().driver(replica, options);
  }

  private boolean hasProcessor() {
    return eventSourced != null || stateReplicated != null;
  }

  private String kind() {
    String kind = eventSourced == null ? "state-replicated" : "event-sourced";
    return hasProcessor() ? kind : GroupAgreement.NONE;
  }

  private int slot(String self, Membership members) {
    int slot = members.slot(self);
    if (slot < 0) {
      throw new IllegalStateException(
          self
              + " is not a member of group "
              + options.getName()
              + " any more, the members are "
              + members
              + "; a member that is added again needs an empty directory");
    }
    return slot;
  }

  private void checkProcessor(int self, Membership members) {
    if (self == members.witness()) {
      if (hasProcessor()) {
        throw new IllegalStateException(
            "witness is " + members.name(self) + ", allowed on it is no processor: it only votes");
      }
    } else if (replies == null || !hasProcessor()) {
      throw new IllegalStateException("a group needs a processor and a reply sink");
    }
  }

  /** The other members may count on messages that it holds. */
  private void checkWitness(int self, Membership members, Place place, TransactionLog log) {
    if (self == members.witness()
        && (!log.end().equals(LogEnd.EMPTY) || log.record().holds(self))) {
      throw Checks.notAllowed(
          "directory", place.directory(), "for a witness one in which no member held messages");
    }
  }

  private TransactionLog open(Place place, GroupThreads threads) {
    if (!options.isPersistence()) {
      return new MemoryTransactionLog();
    }
    TransactionLog log = place.log().get();
    return options.getThreads().getPersister() == null ? log : new Persister(log, options, threads);
  }

  private Transport transport(Transport transport, GroupThreads threads) {
    Transport sending =
        options.getThreads().getSender() == null
            ? transport
            : new DetachedSender(transport, options, threads);
    return options.getThreads().getDispatcher() == null
        ? sending
        : new DetachedDispatcher(sending, options, threads);
  }

  private History history(TransactionLog log) {
    int maxBytes = options.getMaxMessageBytes();
    Sessions sessions =
        new Sessions(
            options.getReplyWindow(),
            maxBytes,
            options.getMaxClients(),
            options.getClientExpiryMs());
    Handling handling = handling(log, sessions, maxBytes);
    Checks.range("version of the processor", handling.version(), 1, Batch.MAX_VERSION);
    return new History(options, log, sessions, handling);
  }

  private Handling handling(TransactionLog log, Sessions sessions, int maxBytes) {
    if (eventSourced != null) {
      return new EventSourcing(eventSourced, sessions, maxBytes);
    }
    if (stateReplicated == null) {
      return new NoState();
    }
    State.Heap heap = objectHeap == null ? new State.Heap(Long.MAX_VALUE) : objectHeap;
    StoredObjects objects = log.objects(objectHeap != null);
    return new StateReplication(stateReplicated, sessions, maxBytes, objects, heap);
  }
}
