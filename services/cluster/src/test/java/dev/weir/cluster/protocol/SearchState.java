package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A state of a small group: its members, what is on its way between them, and the time. {@link
 * #actions} says what may happen next, {@link #after} what follows.
 *
 * <p>Of the messages between two members all arrive in order, except that of heartbeats and their
 * answers only the last few are kept, and that a connection which breaks loses all. Invariants: an
 * epoch has one primary, one primary accepts at a time, a primary has all acknowledged messages,
 * and two logs with a message of an epoch at a position are the same up to there.
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
    TIME
  }

  record Action(Kind kind, int member, int other) {}

  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String what) {
      super(what, null, false, false);
    }
  }

  private static final long MS = 1_000_000;
  private static final int KEPT_HEARTBEATS = 2;

  private final GroupOptions options;
  private final int size;
  private final SearchNode[] nodes;
  private final Deque<Object>[] links;
  private final boolean[][] connected;
  private final boolean[][] mayRefuse;
  private final Map<Long, Integer> primaries = new HashMap<>();
  private List<Entry> acknowledged = List.of();
  private long nowNs = 1_000 * MS;
  private int lastId;
  private int wipes;

  @SuppressWarnings({"unchecked", "rawtypes"})
  SearchState(GroupOptions options) {
    this.options = options;
    size = options.getMembers().size();
    nodes = new SearchNode[size];
    links = new Deque[size * size];
    connected = new boolean[size][size];
    mayRefuse = new boolean[size][size];
    for (int i = 0; i < size; i++) {
      nodes[i] = new SearchNode(this, i);
    }
    for (int i = 0; i < links.length; i++) {
      links[i] = new ArrayDeque<>();
    }
  }

  private SearchState copy() {
    SearchState copy = new SearchState(options);
    for (int i = 0; i < size; i++) {
      copy.nodes[i] = nodes[i].copyTo(copy);
      copy.connected[i] = connected[i].clone();
      copy.mayRefuse[i] = mayRefuse[i].clone();
    }
    for (int i = 0; i < links.length; i++) {
      copy.links[i].addAll(links[i]);
    }
    copy.primaries.putAll(primaries);
    copy.acknowledged = acknowledged;
    copy.nowNs = nowNs;
    copy.lastId = lastId;
    copy.wipes = wipes;
    return copy;
  }

  StateDump.Key key() {
    StateDump.Digest digest = new StateDump.Digest(nowNs, 2 * options.getTakeoverMs() * MS);
    for (SearchNode node : nodes) {
      node.digest(digest);
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        digest.add((connected[i][j] ? 1 : 2) + (mayRefuse[i][j] ? 4 : 0));
      }
    }
    for (Deque<Object> link : links) {
      digest.add(link.size());
      for (Object frame : link) {
        if (frame instanceof Control control) {
          digest.add(control);
        } else {
          digest.add(frame.hashCode());
        }
      }
    }
    digest.add(acknowledged.hashCode());
    return digest.key();
  }

  int size() {
    return size;
  }

  long nowNs() {
    return nowNs;
  }

  boolean isWitness(int member) {
    return options.isWitness(member);
  }

  void send(int from, int to, Object frame) {
    if (to < 0 || !connected[from][to]) {
      return;
    }
    Deque<Object> link = links[from * size + to];
    if (frame instanceof Control control && isHeartbeat(control)) {
      long same = link.stream().filter(f -> isSame(f, control.type())).count();
      if (same == KEPT_HEARTBEATS) {
        link.remove(link.stream().filter(f -> isSame(f, control.type())).findFirst().get());
      }
    }
    link.add(frame);
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
        if (i != j && !links[i * size + j].isEmpty()) {
          actions.add(new Action(Kind.DELIVER, i, j));
        }
      }
    }
    actions.add(new Action(Kind.TIME, 0, 0));
    for (int i = 0; i < size; i++) {
      boolean up = nodes[i].isUp();
      actions.add(new Action(up ? Kind.CRASH : Kind.START, i, 0));
      if (nodes[i].mayAccept()) {
        actions.add(new Action(Kind.ACCEPT, i, 0));
      }
      if (!up && wipes < maxWipes && !nodes[i].isBlank()) {
        actions.add(new Action(Kind.WIPE, i, 0));
      }
      for (int j = 0; j < size; j++) {
        if (i < j && connected[i][j]) {
          actions.add(new Action(Kind.BREAK, i, j));
        } else if (i < j && up && nodes[j].isUp()) {
          actions.add(new Action(Kind.CONNECT, i, j));
        }
        if (i != j && up && mayRefuse[i][j] && !nodes[j].isUp()) {
          actions.add(new Action(Kind.REFUSE, i, j));
        }
      }
    }
    return actions;
  }

  SearchState after(Action action) {
    SearchState next = copy();
    next.apply(action);
    next.check();
    return next;
  }

  private void apply(Action action) {
    int member = action.member();
    int other = action.other();
    switch (action.kind()) {
      case DELIVER -> {
        Object frame = links[member * size + other].remove();
        nodes[other].receive(member, frame);
      }
      case BREAK -> {
        lose(member, other);
      }
      case CONNECT -> {
        connected[member][other] = true;
        connected[other][member] = true;
        mayRefuse[member][other] = false;
        mayRefuse[other][member] = false;
        nodes[member].connected(other);
        nodes[other].connected(member);
      }
      case CRASH -> {
        nodes[member].crash();
        for (int i = 0; i < size; i++) {
          if (connected[member][i]) {
            lose(member, i);
          }
        }
      }
      case START -> {
        nowNs++;
        nodes[member].start(options);
      }
      case REFUSE -> {
        mayRefuse[member][other] = false;
        nodes[member].refused(other);
      }
      case WIPE -> {
        wipes++;
        nodes[member].wipe(10 * wipes + member);
      }
      case ACCEPT -> nodes[member].accept(++lastId);
      case TIME -> {
        nowNs += options.getHeartbeatMs() * MS;
        for (SearchNode node : nodes) {
          if (node.isUp()) {
            node.tick();
          }
        }
      }
    }
  }

  private void lose(int one, int other) {
    connected[one][other] = false;
    connected[other][one] = false;
    links[one * size + other].clear();
    links[other * size + one].clear();
    loseAt(one, other);
    loseAt(other, one);
  }

  private void loseAt(int at, int other) {
    if (nodes[at].isUp()) {
      mayRefuse[at][other] = true;
      nodes[at].lost(other);
    } else {
      mayRefuse[at][other] = false;
    }
  }

  private void check() {
    int accepting = -1;
    for (int i = 0; i < size; i++) {
      if (nodes[i].mayAccept()) {
        require(accepting < 0, "one primary accepts at a time");
        accepting = i;
      }
      for (int j = 0; j < i; j++) {
        checkPrefix(nodes[i].log(), nodes[j].log());
      }
    }
  }

  private void checkPrefix(List<Entry> one, List<Entry> other) {
    boolean same = false;
    for (int i = Math.min(one.size(), other.size()) - 1; i >= 0; i--) {
      boolean equal = one.get(i).equals(other.get(i));
      require(equal || !same, "two logs agree on their common prefix");
      same |= one.get(i).epoch() == other.get(i).epoch();
      require(equal || !same, "two logs agree on what an epoch wrote at a position");
    }
  }

  void leads(int member, long epoch, List<Entry> log) {
    Integer before = primaries.put(epoch, member);
    require(!isWitness(member), "a witness is never primary");
    require(before == null || before == member, "an epoch has one primary");
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
    int members = (1 << size - (isWitness(size - 1) ? 1 : 0)) - 1;
    for (int i = 0; i < size; i++) {
      accepting += nodes[i].mayAccept() ? 1 : 0;
      all &= nodes[i].isUp() && nodes[i].machine().inSync() == members;
      all = all && (isWitness(i) || nodes[i].mayAccept() || nodes[i].machine().isContinuous());
    }
    return accepting == 1 && all;
  }

  int acknowledged() {
    return acknowledged.size();
  }

  void require(boolean holds, String invariant) {
    if (!holds) {
      throw new Broken(invariant);
    }
  }
}
