package dev.weir.cluster.replica;

import dev.weir.cluster.transport.Frames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections between simulated processes. A frame belongs to a connection; it arrives after those
 * sent before it, or not at all. A cut direction holds frames back. A connection may break, on both
 * sides at different times. If {@link #late}, frames of a broken connection may arrive once more,
 * or only then, on a later one, also those of a process that has ended.
 */
final class SimNetwork {
  private static final long MS = SimWorld.MS;
  private static final long LOOK_NS = 20 * MS;

  /** A connection between two processes; each end forgets it on its own. */
  static final class Connection {
    private final List<Late> old = new ArrayList<>();
  }

  private record Late(SimProcess from, SimProcess to, byte[] frame) {}

  private record Held(Connection connection, SimProcess from, SimProcess to, byte[] frame) {}

  private final SimWorld world;
  private final SimGroup group;
  private final int places;
  private final boolean[][] cut;
  private final long[][] arrivalNs;
  private final long[][] slowNs;
  private final List<Held> held = new ArrayList<>();
  private boolean late;

  SimNetwork(SimWorld world, SimGroup group, int places) {
    this.world = world;
    this.group = group;
    this.places = places;
    cut = new boolean[places][places];
    arrivalNs = new long[places][places];
    slowNs = new long[places][places];
    for (int i = 0; i < places; i++) {
      for (int j = 0; j < i; j++) {
        if (i % group.size() != j % group.size()) {
          look(i, j);
        }
      }
    }
  }

  void late(boolean may) {
    late = may;
  }

  /** Sends a frame; false if there is no connection, or no room. */
  boolean send(SimProcess from, int member, ByteBuffer frame) {
    SimProcess.Link link = from.link(member);
    if (link.connection == null || world.once(300)) {
      return false;
    }
    byte[] copy = new byte[frame.remaining()];
    frame.get(frame.position(), copy);
    transmit(new Held(link.connection, from, link.process, copy));
    return true;
  }

  private void transmit(Held frame) {
    int from = frame.from().place();
    int to = frame.to().place();
    if (cut[from][to]) {
      held.add(frame);
      return;
    }
    if (late && world.once(isGone(frame) ? 2 : 100)) {
      frame.connection().old.add(new Late(frame.from(), frame.to(), frame.frame()));
    }
    long at = world.nowNs() + world.between(MS / 20, 2 * MS) + slowNs[from][to];
    arrivalNs[from][to] = Math.max(arrivalNs[from][to] + 1, at);
    world.at(
        arrivalNs[from][to],
        () -> {
          SimProcess.Link link = frame.to().link(frame.from().member());
          if (link.connection == frame.connection()) {
            deliver(frame.from(), frame.to(), frame.frame());
          }
        });
  }

  private static boolean isGone(Held frame) {
    return Frames.type(ByteBuffer.wrap(frame.frame())) == Frames.GONE;
  }

  private static void deliver(SimProcess from, SimProcess to, byte[] frame) {
    to.report(core -> core.onFrame(from.member(), ByteBuffer.wrap(frame)));
  }

  void cut(int from, int to) {
    cut[from][to] = true;
  }

  void heal(int from, int to) {
    if (cut[from][to]) {
      cut[from][to] = false;
      List<Held> all = List.copyOf(held);
      held.clear();
      all.forEach(this::transmit);
    }
  }

  void healAll() {
    for (int i = 0; i < places; i++) {
      for (int j = 0; j < places; j++) {
        heal(i, j);
        slowNs[i][j] = 0;
      }
    }
  }

  void slow(int from, int to, long delayNs) {
    slowNs[from][to] = delayNs;
  }

  /** Both sides see it, not at the same time. */
  void breakConnection(SimProcess one, int member) {
    Connection connection = one == null ? null : one.link(member).connection;
    if (connection != null) {
      SimProcess other = one.link(member).process;
      world.after(world.between(0, 300 * MS), () -> loseIf(one, member, connection));
      world.after(world.between(0, 300 * MS), () -> loseIf(other, one.member(), connection));
    }
  }

  private void loseIf(SimProcess at, int member, Connection connection) {
    if (at.link(member).connection == connection && at.isConnecting()) {
      lose(at, member);
    }
  }

  /** Another member has the slot, or none. */
  void leave(SimProcess at, int member) {
    if (at.link(member).connection != null) {
      lose(at, member);
    }
  }

  private void lose(SimProcess at, int member) {
    SimProcess.Link link = at.link(member);
    link.connection = null;
    link.mayRefuse = true;
    at.report(core -> core.onLost(member));
  }

  /** Tries to connect two places again and again. */
  private void look(int one, int other) {
    world.after(
        world.between(LOOK_NS / 2, LOOK_NS),
        () -> {
          SimProcess first = group.processAt(one);
          SimProcess second = group.processAt(other);
          if (first != null && second != null && first.member() != second.member()) {
            connect(first, second);
          }
          look(one, other);
        });
  }

  /** The process looks after its connections. */
  void look(SimProcess at) {
    for (int member = 0; member < group.size(); member++) {
      SimProcess.Link link = at.link(member);
      if (link.process == null || !at.isConnecting() || !isOpen(at.place(), link.process.place())) {
        continue;
      }
      SimProcess other = link.process;
      if (link.connection != null && other.link(at.member()).connection != link.connection) {
        lose(at, member);
      } else if (link.connection == null && link.mayRefuse && group.nobodyAt(other.place())) {
        link.mayRefuse = false;
        int gone = member;
        at.report(core -> core.onRefused(gone));
      }
    }
  }

  private boolean isOpen(int one, int other) {
    return !cut[one][other] && !cut[other][one];
  }

  private void connect(SimProcess one, SimProcess other) {
    if (!one.isConnecting()
        || !other.isConnecting()
        || !isOpen(one.place(), other.place())
        || isConnected(one, other)
        || isTaken(one, other)
        || isTaken(other, one)
        || one.agreement().difference(other.agreement(), one.name(), other.name()) != null) {
      return;
    }
    Connection connection = new Connection();
    establish(one, other, connection);
    establish(other, one, connection);
  }

  private boolean isConnected(SimProcess one, SimProcess other) {
    SimProcess.Link link = one.link(other.member());
    return link.connection != null
        && link.process == other
        && other.link(one.member()).connection == link.connection;
  }

  /** Whether a twin of the other is connected; mostly the first of them stays. */
  private boolean isTaken(SimProcess one, SimProcess other) {
    SimProcess.Link link = one.link(other.member());
    return link.connection != null
        && link.process != other
        && link.process.link(one.member()).connection == link.connection
        && !world.once(100);
  }

  private void establish(SimProcess at, SimProcess other, Connection connection) {
    SimProcess.Link link = at.link(other.member());
    Connection before = link.connection;
    if (before != null) {
      lose(at, other.member());
    }
    List<Late> old = link.last == null ? List.of() : List.copyOf(link.last.old);
    link.connection = connection;
    link.last = connection;
    link.process = other;
    link.mayRefuse = false;
    at.report(core -> core.onConnected(other.member()));
    for (Late frame : old) {
      if (frame.to() == at && frame.from().place() == other.place()) {
        world.after(
            world.between(0, 50 * MS), () -> deliver(frame.from(), frame.to(), frame.frame()));
      }
    }
  }
}
