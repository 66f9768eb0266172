package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A state of a small group: its members, what is on its way between them, and the time. {@link
 * #actions} says what may happen next, {@link #after} what follows.
 *
 * <p>Of the messages between two members all arrive in order, except that of heartbeats and their
 * answers only the last few are kept, and that a connection which breaks loses all. Invariants: an
 * epoch has one primary, one primary accepts at a time, a primary has all acknowledged messages,
 * and two logs with a message of an epoch at a position are the same up to there.
 *
 * <p>A step copies only the members that it touches; states share the others.
 */
final class SearchState {
  record Entry(long epoch, int id) {}

  /** Backup to primary: this is my log, bring me yours. */
  record Follow(long epoch, List<Entry> log) {}

  /** Primary to backup: this is my log. */
  record Sync(long epoch, List<Entry> log) {}

  record Append(long epoch, int position, Entry entry) {}

  record Ack(long epoch, int end) {}

  /** What may happen to a member, or to two. */
  enum Kind {
    DELIVER,
    BREAK,
    CONNECT,
    CRASH,
    START,
    REFUSE,
    WIPE,
    ACCEPT,
    CHANGE,
    TIME
  }

  record Action(Kind kind, int member, int other) {}

  /** What led to a state, the last action first. */
  private record Trail(Trail before, Action last) {
    @Override
    public String toString() {
      return (before == null ? "" : before + ", ") + last;
    }
  }

  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String what) {
      super(what, null, false, false);
    }
  }

  private static final long MS = 1_000_000;
  private static final int KEPT_HEARTBEATS = 2;
  private static final Object[] NO_FRAMES = {};

  /** Three bits an epoch. */
  private static final long MAX_EPOCH = 20;

  private final GroupOptions options;

  /** What may be asked of a primary, once; null for nothing. */
  private final MemberChange change;

  /** Of a member that the group does not begin with, which comes last; null if there is none. */
  private final GroupOptions newcomer;

  /** Number of the nodes. */
  private final int size;

  private final long heartbeatNs;
  private final long pastNs;
  private final SearchNode[] nodes;
  private final Object[][] links;
  private final boolean[] connected;
  private final boolean[] mayRefuse;

  /** Number of processes that each member has had. */
  private final int[] starts;

  /** Who led each epoch: 0 for nobody, else the member and one. */
  private long primaries;

  private List<Entry> acknowledged = List.of();
  private long nowNs = 1_000 * MS;
  private int lastId;
  private int wipes;

  /** How often the change was asked for, and may be. */
  private int asked;

  private final int mostAsked;

  /** Pairs of nodes whose connection one of them has just ended, as the other has no slot there. */
  private List<Integer> left = List.of();

  private Trail trail;

  SearchState(GroupOptions options) {
    this(options, null, null, 0);
  }

  /**
   * @param mostAsked how often the change may be asked for
   */
  SearchState(GroupOptions options, MemberChange change, GroupOptions newcomer, int mostAsked) {
    this.mostAsked = mostAsked;
    this.options = options;
    this.change = change;
    this.newcomer = newcomer;
    size = options.getMembers().size() + (newcomer == null ? 0 : 1);
    heartbeatNs = options.getHeartbeatMs() * MS;
    pastNs = 2 * options.getTakeoverMs() * MS;
    nodes = new SearchNode[size];
    links = new Object[size * size][];
    connected = new boolean[size * size];
    mayRefuse = new boolean[size * size];
    starts = new int[size];
    for (int i = 0; i < size; i++) {
      nodes[i] = new SearchNode(this, i);
    }
    Arrays.fill(links, NO_FRAMES);
  }

  private SearchState(SearchState from) {
    options = from.options;
    change = from.change;
    newcomer = from.newcomer;
    asked = from.asked;
    mostAsked = from.mostAsked;
    size = from.size;
    heartbeatNs = from.heartbeatNs;
    pastNs = from.pastNs;
    nodes = from.nodes.clone();
    links = from.links.clone();
    connected = from.connected.clone();
    mayRefuse = from.mayRefuse.clone();
    starts = from.starts.clone();
    primaries = from.primaries;
    acknowledged = from.acknowledged;
    nowNs = from.nowNs;
    lastId = from.lastId;
    wipes = from.wipes;
  }

  /** The node of a member, to be changed in this state alone. */
  private SearchNode own(int member) {
    if (nodes[member].state() != this) {
      nodes[member] = nodes[member].copyTo(this);
    }
    return nodes[member];
  }

  /** Names this state: the same for states from which the same follows. */
  long key() {
    StateDump.Digest digest = digest();
    for (SearchNode node : nodes) {
      node.addTo(digest, this);
    }
    for (int i = 0; i < connected.length; i++) {
      digest.add((connected[i] ? 1 : 2) + (mayRefuse[i] ? 4 : 0));
    }
    for (Object[] link : links) {
      digest.add(link.length);
      for (Object frame : link) {
        if (frame instanceof Control control) {
          digest.add(control);
        } else {
          digest.add(frame.hashCode());
        }
      }
    }
    digest.add(acknowledged.hashCode()).add(primaries).add(asked);
    return digest.key();
  }

  StateDump.Digest digest() {
    return new StateDump.Digest(nowNs, pastNs, starts);
  }

  /** The same for states of which a node that is the same has the same digest. */
  long moment() {
    long moment = nowNs;
    for (int count : starts) {
      moment = 1_000_003 * moment + count;
    }
    return moment;
  }

  int size() {
    return size;
  }

  long nowNs() {
    return nowNs;
  }

  boolean isWitness(int member) {
    return isNew(member) ? newcomer.isWitness(slot(member)) : options.isWitness(member);
  }

  private boolean isNew(int member) {
    return member == options.getMembers().size();
  }

  /** The name of a node. */
  String name(int member) {
    return isNew(member) ? change.in() : options.getMembers().get(member);
  }

  /** The slot of a node, which is its own for its life. */
  int slot(int member) {
    return isNew(member) ? newcomer.getMembers().indexOf(change.in()) : member;
  }

  private int node(String name) {
    for (int i = 0; i < size; i++) {
      if (name(i).equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The last actions, for a message. */
  String trail() {
    return String.valueOf(trail);
  }

  /** Sends to the member of a slot, as the sender knows it. */
  void send(int from, int slot, Object frame) {
    int to = slot < 0 ? -1 : node(nodes[from].membership().name(slot));
    if (to < 0 || !connected[from * size + to]) {
      return;
    }
    Object[] link = links[from * size + to];
    if (frame instanceof Control control && isHeartbeat(control)) {
      int first = -1;
      int same = 0;
      for (int i = link.length - 1; i >= 0; i--) {
        if (isSame(link[i], control.type())) {
          first = i;
          same++;
        }
      }
      if (same == KEPT_HEARTBEATS) {
        link = without(link, first);
      }
    }
    Object[] longer = Arrays.copyOf(link, link.length + 1);
    longer[link.length] = frame;
    links[from * size + to] = longer;
  }

  private static Object[] without(Object[] link, int index) {
    if (link.length == 1) {
      return NO_FRAMES;
    }
    Object[] shorter = new Object[link.length - 1];
    System.arraycopy(link, 0, shorter, 0, index);
    System.arraycopy(link, index + 1, shorter, index, shorter.length - index);
    return shorter;
  }

  private static boolean isHeartbeat(Control control) {
    return control.type() == Control.Type.HEARTBEAT || control.type() == Control.Type.HEARTBEAT_ACK;
  }

  private static boolean isSame(Object frame, Control.Type type) {
    return frame instanceof Control control && control.type() == type;
  }

  /** All that may happen now. */
  List<Action> actions(int maxWipes) {
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        if (i != j && links[i * size + j].length > 0) {
          actions.add(new Action(Kind.DELIVER, i, j));
        }
      }
    }
    actions.add(new Action(Kind.TIME, 0, 0));
    for (int i = 0; i < size; i++) {
      boolean up = nodes[i].isUp();
      if (up || !isNew(i) || asked > 0) {
        actions.add(new Action(up ? Kind.CRASH : Kind.START, i, 0));
      }
      if (nodes[i].mayAccept(nowNs)) {
        actions.add(new Action(Kind.ACCEPT, i, 0));
        if (change != null && asked < mostAsked) {
          actions.add(new Action(Kind.CHANGE, i, 0));
        }
      }
      if (!up && wipes < maxWipes && !nodes[i].isBlank()) {
        actions.add(new Action(Kind.WIPE, i, 0));
      }
      for (int j = 0; j < size; j++) {
        if (i < j && connected[i * size + j]) {
          actions.add(new Action(Kind.BREAK, i, j));
        } else if (i < j && up && nodes[j].isUp() && know(i, j) && know(j, i)) {
          actions.add(new Action(Kind.CONNECT, i, j));
        }
        if (i != j && up && mayRefuse[i * size + j] && !nodes[j].isUp()) {
          actions.add(new Action(Kind.REFUSE, i, j));
        }
      }
    }
    return actions;
  }

  private boolean know(int one, int other) {
    Membership members = nodes[one].membership();
    return members.slot(name(other)) == slot(other) && members.slot(name(one)) == slot(one);
  }

  SearchState after(Action action) {
    SearchState next = new SearchState(this);
    next.trail = new Trail(trail, action);
    next.apply(action);
    next.leave();
    next.check();
    return next;
  }

  private void apply(Action action) {
    int member = action.member();
    int other = action.other();
    switch (action.kind()) {
      case DELIVER -> {
        Object[] link = links[member * size + other];
        links[member * size + other] = without(link, 0);
        own(other).receive(slot(member), link[0]);
      }
      case BREAK -> lose(member, other);
      case CONNECT -> {
        set(connected, member, other, true);
        set(mayRefuse, member, other, false);
        own(member).connected(slot(other));
        own(other).connected(slot(member));
      }
      case CRASH -> {
        own(member).crash();
        for (int i = 0; i < size; i++) {
          if (connected[member * size + i]) {
            lose(member, i);
          }
        }
      }
      case START -> {
        starts[member]++;
        own(member).start(isNew(member) ? newcomer : options, starts[member] * size + member);
      }
      case REFUSE -> {
        mayRefuse[member * size + other] = false;
        if (nodes[member].membership().slot(name(other)) == slot(other)) {
          own(member).refused(slot(other));
        }
      }
      case WIPE -> {
        wipes++;
        own(member).wipe(10 * wipes + member);
      }
      case ACCEPT -> own(member).accept(++lastId);
      case CHANGE -> {
        asked++;
        own(member).change(change);
      }
      case TIME -> {
        nowNs += heartbeatNs;
        for (int i = 0; i < size; i++) {
          if (nodes[i].isUp()) {
            own(i).tick();
          }
        }
      }
    }
  }

  private void set(boolean[] flags, int one, int other, boolean flag) {
    flags[one * size + other] = flag;
    flags[other * size + one] = flag;
  }

  private void lose(int one, int other) {
    set(connected, one, other, false);
    links[one * size + other] = NO_FRAMES;
    links[other * size + one] = NO_FRAMES;
    loseAt(one, other);
    loseAt(other, one);
  }

  private void loseAt(int at, int other) {
    mayRefuse[at * size + other] = nodes[at].isUp();
    if (nodes[at].isUp()) {
      own(at).lost(slot(other));
    }
  }

  private void check() {
    int accepting = -1;
    for (int i = 0; i < size; i++) {
      if (nodes[i].mayAccept(nowNs)) {
        require(accepting < 0, "one primary accepts at a time");
        accepting = i;
      }
      for (int j = 0; j < i; j++) {
        checkPrefix(nodes[i].log(), nodes[j].log());
      }
    }
  }

  private void checkPrefix(List<Entry> one, List<Entry> other) {
    if (one == other) {
      return;
    }
    boolean same = false;
    for (int i = Math.min(one.size(), other.size()) - 1; i >= 0; i--) {
      boolean equal = one.get(i).equals(other.get(i));
      require(equal || !same, "two logs agree on their common prefix");
      same |= one.get(i).epoch() == other.get(i).epoch();
      require(equal || !same, "two logs agree on what an epoch wrote at a position");
    }
  }

  /**
   * A member knows other members than before.
   *
   * @return the slots to which it has no connection any more
   */
  List<Integer> members(int member, Membership members) {
    List<Integer> slots = new ArrayList<>();
    for (int other = 0; other < size; other++) {
      if (other != member && connected[member * size + other] && !know(member, other)) {
        List<Integer> longer = new ArrayList<>(left);
        longer.add(member * size + other);
        left = longer;
        slots.add(slot(other));
      }
    }
    return slots;
  }

  /** Ends the connections to those that have no slot any more. */
  private void leave() {
    while (!left.isEmpty()) {
      int pair = left.get(0);
      left = left.subList(1, left.size());
      int one = pair / size;
      int other = pair % size;
      if (connected[pair]) {
        set(connected, one, other, false);
        links[pair] = NO_FRAMES;
        links[other * size + one] = NO_FRAMES;
        mayRefuse[pair] = false;
        loseAt(other, one);
      }
    }
  }

  void leads(int member, long epoch, List<Entry> log) {
    require(epoch <= MAX_EPOCH, "there are few epochs");
    long before = primaries >>> 3 * epoch & 7;
    primaries |= (long) (member + 1) << 3 * epoch;
    require(!isWitness(member), "a witness is never primary");
    require(before == 0 || before == member + 1, "an epoch has one primary");
    require(
        log.size() >= acknowledged.size()
            && log.subList(0, acknowledged.size()).equals(acknowledged),
        "a primary has all acknowledged messages");
  }

  void acknowledged(int position, Entry entry) {
    if (position < acknowledged.size()) {
      require(acknowledged.get(position).equals(entry), "what is acknowledged stays");
      return;
    }
    List<Entry> longer = new ArrayList<>(acknowledged);
    longer.add(entry);
    acknowledged = List.copyOf(longer);
  }

  /** Whether all members are in sync with a primary that accepts, and can take over at once. */
  boolean isSettled() {
    int accepting = 0;
    boolean all = true;
    int began = options.getMembers().size();
    int members = 0;
    for (int i = 0; i < began; i++) {
      members |= isWitness(i) ? 0 : 1 << i;
    }
    for (int i = 0; i < began; i++) {
      accepting += nodes[i].mayAccept(nowNs) ? 1 : 0;
      all &= nodes[i].isUp() && nodes[i].machine().inSync() == members;
      all = all && (isWitness(i) || nodes[i].mayAccept(nowNs) || nodes[i].machine().isContinuous());
    }
    return accepting == 1 && all;
  }

  int acknowledged() {
    return acknowledged.size();
  }

  void require(boolean holds, String invariant) {
    if (!holds) {
      throw new Broken(invariant + " is broken after " + trail);
    }
  }
}
